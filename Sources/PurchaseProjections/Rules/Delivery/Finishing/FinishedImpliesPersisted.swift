import PurchaseEvents

/// A purchased or restored transaction is finished only after it was persisted (G4.7, I1).
///
/// The exceptions are those of ``FinishedImpliesDelivered``.
struct FinishedImpliesPersisted: Rule {
    static let id = "finished-implies-persisted"
    static let level = Level.error
    static let statement =
        "A purchased or restored transaction is finished only after delivery.persisted, with the "
        + "exceptions of finished-implies-delivered."
    static let evidence = ["G4.7", "I1"]
    static let reads = EventTypes(.queueFinished)

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = Finishing.transaction(of: event, facts) else {
            return Finishing.lookForUnseen(event, \.persistedLine, "persisted", facts, &report)
        }
        report.test()
        guard facts[transaction].persistedLine == 0,
            !Finishing.isRepeated(transaction, facts),
            !Finishing.owesNothing(transaction, at: event, facts)
        else { return }
        let name = DeliveryWords.name(transaction, facts)
        if let missed = facts.mayHaveMissed {
            return report.cannotTell("\(name) is not seen persisted before its finish; \(missed)")
        }
        let delivered = facts[transaction].deliveredLine
        report.find(
            event, on: line, facts,
            account: DeliveryWords.account(event, transaction, facts),
            key: facts.text(transaction),
            "\(name) was finished, but never persisted: expected delivery.persisted before the "
                + "finish",
            notes: DeliveryWords.stated(transaction, facts)
                + DeliveryWords.note(delivered, "then it was delivered, but kept nowhere"),
            hint: "what the account bought is gone at the next launch, and the transaction is not "
                + "presented again: look at where the app keeps its purchases")
    }
}
