import PurchaseEvents

/// What the account owns for ever is not charged again (G8.5).
///
/// Of each account's non-consumables the transaction that was stated last is kept; one that was
/// refunded, revoked or shared by the family owns nothing.
struct OwnedNotChargedAgain: Rule {
    static let id = "owned-not-charged-again"
    static let level = Level.warning
    static let statement =
        "A non-consumable that the account owns is not bought again at a price above 0."
    static let evidence = ["G8.5"]
    static let reads = EventTypes(.queuePurchased, .receiptListed)

    /// Environments never mix (G9.3).
    private struct Holding: Hashable {
        var account: AccountID<Interned>
        var product: ProductID<Interned>
        var environment: Environment
    }

    private var owned: [Holding: TransactionID<Interned>] = [:]

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = event.transaction,
            facts.kind(of: transaction) == .nonConsumable
        else { return }
        // A restored one isn't news, and neither is one that is stated again.
        let purchased = facts[transaction].purchasedLine
        guard
            purchased == line.number
                || (facts[transaction].listedLine == line.number && purchased == 0),
            facts[transaction].ownership != .familyShared,
            facts.original(of: transaction) == transaction,
            let account = facts.owner(of: transaction), let product = facts[transaction].product,
            let environment = facts[transaction].environment
        else { return }
        let holding = Holding(account: account, product: product, environment: environment)
        let before = owned[holding]
        if facts[transaction].refund == nil { owned[holding] = transaction }
        guard let before, before != transaction, facts[before].refund == nil,
            facts[before].validation != .invalid
        else { return }
        report.test()
        guard let price = facts[transaction].price, price.thousandths > 0 else { return }
        find(transaction, price, owned: before, event, line, facts, &report)
    }

    private func find(
        _ transaction: TransactionID<Interned>, _ price: Price, owned: TransactionID<Interned>,
        _ event: Event<Interned>, _ line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let stated = facts[owned].statedLine
        let isWhole = !facts.startsInTheMiddle || facts[owned].purchasedLine != 0
        let missed = isWhole ? facts.mayHaveMissed(after: stated) : facts.mayHaveMissed
        if let missed {
            return report.cannotTell("whether what is owned was refunded: \(missed)")
        }
        let name = facts[transaction].product.map { facts.names.text(of: $0) } ?? ""
        let currency = price.currency.map { " \($0.code)" } ?? ""
        report.find(
            event, on: line, facts, account: facts.owner(of: transaction),
            key: facts.text(transaction),
            "transaction \(facts.text(transaction)) charges \(price.thousandths)\(currency) "
                + "(thousandths) for \(name), which the account owns: expected no price, or 0",
            notes: [
                Finding.Note(
                    line: stated,
                    message: "let \(facts.words(facts.owner(of: transaction))) own \(name) by "
                        + "transaction \(facts.text(owned))")
            ],
            hint: "look at both charges at the App Store: the account may have paid twice for one "
                + "thing, and a refund may be due")
    }
}
