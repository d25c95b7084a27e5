import PurchaseEvents

/// A delivery follows a statement of the App Store (G4.2, I5).
struct DeliveredImpliesPaid: Rule {
    static let id = "delivered-implies-paid"
    static let level = Level.error
    static let statement =
        "A delivery follows, earlier in the log, a statement of its transaction: queue.purchased, "
        + "queue.restored, receipt.listed, renewal.started or renewal.renewed. What is "
        + "purchasing, deferred, failed or unknown is not delivered."
    static let evidence = ["G4.2", "I5"]
    static let reads = EventTypes(.deliveryDelivered)

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = event.transaction else { return }
        report.test()
        guard facts[transaction].statedLine == 0 else { return }
        let name = DeliveryWords.name(transaction, facts)
        let account = DeliveryWords.account(event, transaction, facts)
        if let missed = facts.mayHaveMissed {
            return report.cannotTell("no statement of \(name) is seen; \(missed)")
        }
        report.find(
            event, on: line, facts,
            account: account,
            key: facts.text(transaction),
            "\(name) was delivered to \(facts.words(account)), but the App Store had not stated "
                + "it: expected queue.purchased, queue.restored, receipt.listed, renewal.started "
                + "or renewal.renewed before the delivery",
            hint: "the account was given something that nobody is known to have paid for: look at "
                + "what the app took for a purchase")
    }
}
