import PurchaseEvents

/// A transaction is finished only after it was persisted (G4.7, I1).
///
/// The exceptions are those of ``FinishedImpliesDelivered``.
struct FinishedImpliesPersisted: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A transaction that the App Store stated is finished only after delivery.persisted, with "
        + "the exceptions of finished-implies-delivered."
    static let evidence = ["G4.7", "I1"]
    static let reads = EventTypes(.queueFinished, .deliveryPersisted).union(HeldFinishes.freeing)

    private var held = HeldFinishes()

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&held) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if HeldFinishes.freeing.contains(event.type) {
            return held.free(by: event, facts, &report)
        }
        for finish in held.taken(by: event, "persisted", facts, &report) {
            find(finish, facts, &report)
        }
        guard event.type == .queueFinished else { return }
        guard let transaction = Finishing.transaction(of: event, facts) else {
            return Finishing.lookForUnseen(event, \.persistedLine, "persisted", facts, &report)
        }
        report.test()
        guard facts[transaction].persistedLine == 0,
            !Finishing.losesNothing(transaction, at: event, facts)
        else { return }
        if let reason = facts.incompleteReason {
            let name = facts.name(transaction)
            return report.cannotTell(
                "the log doesn't show \(name) persisted before its finish; \(reason)")
        }
        var finish = Finishing.finish(of: transaction, event, line.number, facts)
        finish.earlierLine = facts[transaction].deliveredLine
        if !held.hold(finish, facts) { find(finish, facts, &report) }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for finish in held.all { find(finish, facts, &report) }
    }

    private func find(_ finish: HeldFinishes.Finish, _ facts: Facts, _ report: inout Report) {
        let name = facts.name(finish.transaction)
        report.find(
            at: finish.line, facts, level: finish.isNote ? .note : nil, account: finish.account,
            key: facts.text(finish.transaction),
            "\(name) was finished, but never persisted: expected delivery.persisted before the "
                + "finish",
            notes: facts.stated(finish.transaction)
                + Finding.note(
                    finish.earlierLine, "then it was delivered, but not persisted"),
            hint: finish.isNote
                ? Finishing.lateHint
                : "what the account bought is gone at the next launch, and the transaction is not "
                    + "presented again: look at where the app keeps its purchases")
    }
}
