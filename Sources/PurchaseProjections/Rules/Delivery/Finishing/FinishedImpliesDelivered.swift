import PurchaseEvents

/// A transaction is finished only after its delivery (G4.7, G4.10, I1).
///
/// Any statement attests a purchase, also a receipt's row or a renewal of one that the queue never
/// presented. Transactions for which nothing is owed (refunded, revoked, upgraded away, invalid, or
/// of another environment) are exempt, and so are restored transactions that the user did not
/// select, that the receipt already grants (G8.4), or of whose plan no period runs. The renewal of
/// a period that was over by its finish is only a note: an app may grant the current period alone
/// (G6.10).
struct FinishedImpliesDelivered: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A transaction that the App Store stated is finished only after it was delivered, unless "
        + "nothing is owed for it: it is refunded, revoked, upgraded away, validated as invalid or "
        + "of another environment; or it is a restored one that the user did not select, that "
        + "has no hosted content and is already in the receipt, or of whose plan the log knows "
        + "only periods that are over or refunded. A renewal whose period was over by its finish "
        + "is a note."
    static let evidence = ["G4.7", "G4.10", "I1"]
    static let reads = EventTypes(.queueFinished, .deliveryDelivered).union(HeldFinishes.freeing)

    private var held = HeldFinishes()

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&held) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if HeldFinishes.freeing.contains(event.type) {
            return held.free(by: event, facts, &report)
        }
        for finish in held.taken(by: event, "delivered", facts, &report) {
            find(finish, facts, &report)
        }
        guard event.type == .queueFinished else { return }
        guard let transaction = Finishing.transaction(of: event, facts) else {
            return Finishing.lookForUnseen(event, \.firstDeliveredLine, "delivered", facts, &report)
        }
        report.test()
        guard facts[transaction].firstDeliveredLine == 0,
            !Finishing.losesNothing(transaction, at: event, facts)
        else { return }
        if let reason = facts.incompleteReason {
            let name = facts.name(transaction)
            return report.cannotTell("no delivery of \(name) is seen before its finish; \(reason)")
        }
        let finish = Finishing.finish(of: transaction, event, line.number, facts)
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
            "\(name) was finished, but never delivered: expected delivery.delivered before the "
                + "finish",
            notes: facts.stated(finish.transaction),
            hint: finish.isNote
                ? Finishing.lateHint
                : "the account paid and got nothing, and a finished transaction is not presented "
                    + "again: look at what runs before the finish, and deliver by hand")
    }
}
