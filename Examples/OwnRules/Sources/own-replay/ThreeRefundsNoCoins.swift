import PurchaseEvents
import PurchaseProjections

/// The company's own rule: an account with three refunds gets no more consumables.
struct ThreeRefundsNoCoins: Rule {
    static let id = "three-refunds-no-coins"
    static let level = Level.error
    static let statement =
        "An account with three refunds gets no more consumables until support has reviewed it."
    static let evidence = ["support handbook, chapter 4"]
    static let reads = EventTypes(.cancellationRefunded, .deliveryDelivered)

    /// The lines of each account's refunds.
    private var refunds: [AccountHandle: [LineNumber]] = [:]

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = event.transaction, let owner = facts.owner(of: transaction) else {
            return
        }
        if event.type == .cancellationRefunded {
            refunds[owner, default: []].append(line.number)
        } else if facts.kind(of: transaction) == .consumable {
            report.test()
            guard let lines = refunds[owner], lines.count >= 3 else { return }
            report.find(
                event, on: line, facts, account: owner, key: facts.text(transaction),
                "transaction \(facts.text(transaction)) was delivered after \(lines.count) refunds "
                    + "of the account: expected no more consumables",
                notes: lines.map { Finding.Note(line: $0, message: "a purchase was refunded") },
                hint: "find out why the shop still offers coins to this account")
        }
    }
}
