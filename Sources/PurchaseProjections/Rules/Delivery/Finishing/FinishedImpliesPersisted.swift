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
    static let reads = EventTypes(.queueFinished)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = Finishing.transaction(of: event, facts) else {
            return Finishing.lookForUnseen(event, \.persistedLine, "persisted", facts, &report)
        }
        report.test()
        guard facts[transaction].persistedLine == 0,
            !Finishing.isRepeated(transaction, facts),
            !Finishing.owesNothing(transaction, at: event, facts)
        else { return }
        let name = DeliveryPhrases.name(transaction, facts)
        if let reason = facts.incompleteReason {
            return report.cannotTell(
                "the log doesn't show \(name) persisted before its finish; \(reason)")
        }
        let delivered = facts[transaction].deliveredLine
        report.find(
            event, on: line, facts,
            account: DeliveryPhrases.account(event, transaction, facts),
            key: facts.text(transaction),
            "\(name) was finished, but never persisted: expected delivery.persisted before the "
                + "finish",
            notes: DeliveryPhrases.stated(transaction, facts)
                + DeliveryPhrases.note(delivered, "then it was delivered, but not persisted"),
            hint: "what the account bought is gone at the next launch, and the transaction is not "
                + "presented again: look at where the app keeps its purchases")
    }
}
