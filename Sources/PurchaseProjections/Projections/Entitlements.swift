import PurchaseEvents

/// What each account is entitled to at an instant, and whether the app has given it.
///
/// A row each purchase, of a subscription each product along its line, tied to its original
/// (G8.3); consumables are a row an account and product, since what is consumed names no
/// transaction (G4.11). Facts of other environments grant nothing (G9.3).
public struct Entitlements: Projection {
    /// The word that `show` takes.
    public static let name = "entitlements"
    /// The question that it answers.
    public static let summary = "what each account is entitled to, and whether the app gave it"
    /// The types of event that it folds beside the facts.
    public static let reads = EventTypes(.deliveryConsumed)

    /// How many of a consumable were consumed; saturates.
    private var consumed: [Holder: Int64] = [:]

    /// The projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts have taken in already.
    public mutating func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        guard case .deliveryConsumed(let fact) = event.fact,
            facts.environment(of: event) == facts.home
        else { return }
        let holder = Holder(account: event.account, product: fact.product)
        consumed[holder] = saturatingSum(consumed[holder] ?? 0, fact.quantity ?? 1)
    }

    /// The rows by what is known now, as true at an instant.
    public func rows(_ facts: Facts, asOf instant: Timestamp) -> [EntitlementRow] {
        var rows = facts.holdings(asOf: instant).map { EntitlementRow($0, facts.names) }
        rows += consumables(facts, asOf: instant)
        return rows.inOrder { $0.precedes($1) }
    }

    private func consumables(_ facts: Facts, asOf instant: Timestamp) -> [EntitlementRow] {
        var stocks: [Holder: Stock] = [:]
        var holders: [ProductID<Interned>: Int] = [:]
        for transaction in facts.knownTransactions {
            let purchase = facts[transaction]
            guard purchase.attestsPeriod, facts.kind(of: transaction) == .consumable,
                facts.isAtHome(transaction), let product = purchase.product,
                let purchasedAt = purchase.purchasedAt, facts.isHeld(transaction, by: instant)
            else { continue }
            let holder = Holder(account: facts.owner(of: transaction), product: product)
            if stocks[holder] == nil { holders[product, default: 0] += 1 }
            let refund = facts.refund(of: transaction, asOf: instant)
            stocks[holder, default: Stock()].add(
                purchase, transaction, since: purchasedAt, refund, facts)
        }
        return stocks.map { holder, stock in
            // What is consumed without saying by whom is the only holder's.
            var used = consumed[holder] ?? 0
            if holder.account != nil, holders[holder.product] == 1 {
                let unnamed = Holder(account: nil, product: holder.product)
                used = saturatingSum(used, consumed[unnamed] ?? 0)
            }
            return EntitlementRow(holder, stock, consumed: used, facts.names)
        }
    }
}

/// What an account bought of a consumable.
private struct Stock {
    var from: Timestamp?
    var purchases = 0
    var transaction: TransactionID<Interned>?
    var original: TransactionID<Interned>?
    /// How many were bought and neither refunded nor found invalid, and how many are delivered.
    var owed: Int64 = 0, delivered: Int64 = 0
    var isAllRefunded = true, isAllRevoked = true

    mutating func add(
        _ purchase: TransactionFacts, _ transaction: TransactionID<Interned>,
        since purchasedAt: Timestamp, _ refund: Refund?, _ facts: Facts
    ) {
        purchases += 1
        self.transaction = transaction
        original = facts.original(of: transaction)
        from = from.map { min($0, purchasedAt) } ?? purchasedAt
        delivered = saturatingSum(delivered, purchase.deliveredQuantity)
        if refund == nil, purchase.validation != .invalid {
            owed = saturatingSum(owed, purchase.quantity)
        }
        if refund == nil { isAllRefunded = false }
        if refund?.kind != .revoked { isAllRevoked = false }
    }
}

/// A row of ``Entitlements``.
public struct EntitlementRow: ProjectionRow {
    /// The account; `nil` where no fact says.
    public let account: String?
    /// The product that it is entitled to.
    public let product: String?
    /// The product's type, where it is known.
    public let kind: ProductKind?
    /// Whether it is entitled at the instant.
    public let isActive: Bool
    /// When the purchase was made, or the period started.
    public let from: Timestamp?
    /// When it ends or ended, where anything says.
    public let until: Timestamp?
    /// `purchase`, `period` or `grace`.
    public let because: String
    /// The purchase, or the transaction of the period; absent for several of a consumable.
    public let transaction: String?
    /// The original that it is tied to; absent for several of a consumable.
    public let original: String?
    /// Of a consumable: delivered less withdrawn less consumed.
    public let quantity: Int64?
    /// Whether the app has delivered it and not withdrawn it.
    public let isGranted: Bool
    /// `expired`, `refunded`, `revoked` or `upgraded`, where it is over.
    public let ended: String?

    init(_ holding: Holding, _ names: NameTable) {
        account = holding.account.map(names.text)
        product = holding.product.map(names.text)
        kind = holding.kind
        isActive = holding.isActive
        from = holding.from
        until = holding.until
        because = holding.because.rawValue
        transaction = names.text(of: holding.transaction)
        original = names.text(of: holding.original)
        quantity = nil
        isGranted = holding.grant.stands
        ended = holding.ended?.rawValue
    }

    fileprivate init(_ holder: Holder, _ stock: Stock, consumed: Int64, _ names: NameTable) {
        account = holder.account.map(names.text)
        product = names.text(of: holder.product)
        kind = .consumable
        isActive = stock.owed > consumed
        from = stock.from
        until = nil
        because = Holding.Because.purchase.rawValue
        transaction = stock.purchases == 1 ? stock.transaction.map(names.text) : nil
        original = stock.purchases == 1 ? stock.original.map(names.text) : nil
        quantity = max(0, stock.delivered - consumed)
        isGranted = stock.delivered > 0
        let end: Holding.Ended? =
            stock.isAllRevoked ? .revoked : stock.isAllRefunded ? .refunded : nil
        ended = end?.rawValue
    }

    /// The row's keys and values in the order of tool.md.
    public var fields: [RowField] {
        [
            RowField("account", .text(account)), RowField("product", .text(product)),
            RowField("kind", .text(kind?.rawValue)), RowField("active", .flag(isActive)),
            RowField("from", .time(from)), RowField("until", .time(until)),
            RowField("because", .text(because)), RowField("transaction", .text(transaction)),
            RowField("original", .text(original)), RowField("quantity", .integer(quantity)),
            RowField("granted", .flag(isGranted)), RowField("ended", .text(ended)),
        ].compactMap { $0 }
    }

    fileprivate func precedes(_ other: EntitlementRow) -> Bool {
        RowOrder().by(account, other.account).by(product, other.product)
            .by(from, other.from).by(original, other.original)
            .by(transaction, other.transaction).precedes
    }
}
