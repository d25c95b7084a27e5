import PurchaseEvents

/// A delivery follows a statement of the App Store (G4.2, I5).
struct DeliveredImpliesPaid: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A statement of the transaction precedes its delivery in the log: queue.purchased, "
        + "queue.restored, receipt.listed, renewal.started or renewal.renewed. A purchasing, "
        + "deferred, failed or unknown payment is not delivered."
    static let evidence = ["G4.2", "I5"]
    static let reads = EventTypes(.deliveryDelivered)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = event.transaction else { return }
        report.test()
        guard facts[transaction].statedLine == 0 else { return }
        let name = DeliveryPhrases.name(transaction, facts)
        let account = DeliveryPhrases.account(event, transaction, facts)
        if let reason = facts.incompleteReason {
            return report.cannotTell("no statement of \(name) is seen; \(reason)")
        }
        report.find(
            event, on: line, facts,
            account: account,
            key: facts.text(transaction),
            "\(name) was delivered to \(facts.describe(account)), but the App Store had not stated "
                + "it: expected queue.purchased, queue.restored, receipt.listed, renewal.started "
                + "or renewal.renewed before the delivery",
            hint: "the account was given something that nobody is known to have paid for: look at "
                + "what the app treated as a purchase")
    }
}
