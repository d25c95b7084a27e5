import PurchaseEvents

/// The entitlements of each account at an instant, and whether the app has granted them.
///
/// One row for each purchase, or for each product in a subscription, tied to its original
/// (G8.3). Consumables get one row for each account and product, because `delivery.consumed` names
/// no transaction (G4.11). Other environments grant nothing (G9.3).
public struct Entitlements: Projection, CatalogueProjection {
    /// The argument of `show`.
    public static let name = "entitlements"
    /// The question that the projection answers.
    public static let summary = "what each account is entitled to, and whether the app granted it"
    /// The event types that the projection folds besides the facts.
    public static let reads = EventTypes(.deliveryConsumed)

    /// The consumed quantity of each consumable; saturates.
    private var consumed: [Holder: Int64] = [:]

    /// Creates the projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts already include.
    public mutating func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        guard case .deliveryConsumed(let fact) = event.fact,
            facts.environment(of: event) == facts.logEnvironment
        else { return }
        let holder = Holder(account: event.account, product: fact.product)
        consumed[holder, default: 0].addSaturating(fact.quantity ?? 1)
    }

    /// Calls `body` with each row, as known now and true at an instant.
    public func forEachRow(
        _ facts: Facts, asOf instant: Timestamp, _ body: (EntitlementRow) -> Void
    ) {
        var all = facts.holdings(asOf: instant).map { Entitlement($0) }
        all += consumables(facts, asOf: instant)
        let texts = RowTexts(facts.names)
        for one in all.inOrder(facts.names, account: \.account, { $0.precedes($1, facts.names) }) {
            body(EntitlementRow(one, texts))
        }
    }

    private func consumables(_ facts: Facts, asOf instant: Timestamp) -> [Entitlement] {
        var stocks: [Stock] = []
        var places = HandleMap<Int32>(0)
        var holders: [ProductID<Interned>: Int] = [:]
        for transaction in facts.knownTransactions {
            let purchase = facts[transaction]
            guard purchase.attestsPeriod, facts.kind(of: transaction) == .consumable,
                facts.isInLogEnvironment(transaction), let product = purchase.product,
                let purchasedAt = purchase.purchasedAt, facts.isHeld(transaction, by: instant)
            else { continue }
            let account = facts.owner(of: transaction)
            let key = HandleKey(product, of: account)
            let place = places[key].map { Int($0) } ?? stocks.count
            if place == stocks.count {
                stocks.append(Stock(holder: Holder(account: account, product: product)))
                places[key] = Int32(place)
                holders[product, default: 0] += 1
            }
            let refund = facts.refund(of: transaction, asOf: instant)
            stocks[place].add(purchase, transaction, since: purchasedAt, refund, facts)
        }
        return stocks.map { stock in
            // Consumption without an account counts for the only holder.
            let holder = stock.holder
            var used = consumed[holder] ?? 0
            if holder.account != nil, holders[holder.product] == 1 {
                let unnamed = Holder(account: nil, product: holder.product)
                used.addSaturating(consumed[unnamed] ?? 0)
            }
            return Entitlement(stock, consumed: used)
        }
    }
}

/// An account's purchases of one consumable.
private struct Stock {
    let holder: Holder
    var from: Timestamp?
    var purchases = 0
    var transaction: TransactionID<Interned>?
    var original: TransactionID<Interned>?
    /// The quantity bought and neither refunded nor invalid, and the quantity delivered.
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
        delivered.addSaturating(purchase.deliveredQuantity)
        // A refund of a part takes back a part: what was delivered and not withdrawn stays.
        let isPartial = refund.map { $0.percent ?? Refund.whole < Refund.whole } ?? false
        if refund == nil || isPartial, purchase.validation != .invalid {
            owed.addSaturating(isPartial ? purchase.deliveredQuantity : purchase.quantity)
        }
        if refund == nil || isPartial { isAllRefunded = false }
        if refund?.kind != .revoked { isAllRevoked = false }
    }
}

/// A row of ``Entitlements``.
public struct EntitlementRow: ProjectionRow {
    /// The account; `nil` if unknown.
    public let account: String?
    /// The product; `nil` if unknown.
    public let product: String?
    /// The product's kind, if known.
    public let kind: ProductKind?
    /// Whether the entitlement is in force at the instant.
    public let isActive: Bool
    /// When the purchase was made or the period started.
    public let from: Timestamp?
    /// When the entitlement ends or ended; `nil` if no end is stated.
    public let until: Timestamp?
    /// The basis of the entitlement: `purchase`, `period` or `grace`.
    public let because: String
    /// The purchase, or the transaction of the period; `nil` for several purchases of a consumable.
    public let transaction: String?
    /// The original of the transaction; `nil` for several purchases of a consumable.
    public let original: String?
    /// For a consumable, the quantity delivered and neither withdrawn nor consumed; `nil` for other
    /// kinds.
    public let quantity: Int64?
    /// Whether the app has delivered the product and not withdrawn it.
    public let isGranted: Bool
    /// Why the entitlement ended: `expired`, `refunded`, `revoked` or `upgraded`.
    public let ended: String?

    fileprivate init(_ entitlement: Entitlement, _ texts: RowTexts) {
        account = texts.text(of: entitlement.account)
        product = texts.text(of: entitlement.product)
        kind = entitlement.kind
        isActive = entitlement.isActive
        from = entitlement.from
        until = entitlement.until
        because = entitlement.basis.rawValue
        if let named = entitlement.transaction, let first = entitlement.original {
            let (transaction, original) = texts.texts(of: named, first)
            (self.transaction, self.original) = (transaction, original)
        } else {
            (transaction, original) = (nil, nil)
        }
        quantity = entitlement.quantity
        isGranted = entitlement.isGranted
        ended = entitlement.ended?.rawValue
    }

    /// Writes the row's keys and values in the order of tool.md.
    public func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer) {
        writer.write("account", account)
        writer.write("product", product)
        writer.write("kind", kind?.rawValue)
        writer.write("active", isActive)
        writer.write("from", from)
        writer.write("until", until)
        writer.write("because", because)
        writer.write("transaction", transaction)
        writer.write("original", original)
        writer.write("quantity", quantity)
        writer.write("granted", isGranted)
        writer.write("ended", ended)
    }
}

/// The data of a row of ``Entitlements``.
private struct Entitlement {
    var account: AccountID<Interned>?
    var product: ProductID<Interned>?
    var kind: ProductKind?
    var isActive: Bool
    var from: Timestamp?
    var until: Timestamp?
    var basis: Holding.Basis
    /// Both `nil` for several purchases of a consumable.
    var transaction: TransactionID<Interned>?, original: TransactionID<Interned>?
    var quantity: Int64?
    var isGranted: Bool
    var ended: Holding.Ended?

    init(_ holding: Holding) {
        (account, product, kind) = (holding.account, holding.product, holding.kind)
        isActive = holding.isActive
        (from, until, basis) = (holding.from, holding.until, holding.basis)
        (transaction, original) = (holding.transaction, holding.original)
        isGranted = holding.grant.stands
        ended = holding.ended
    }

    init(_ stock: Stock, consumed: Int64) {
        (account, product, kind) = (stock.holder.account, stock.holder.product, .consumable)
        isActive = stock.owed > consumed
        (from, basis) = (stock.from, .purchase)
        if stock.purchases == 1 { (transaction, original) = (stock.transaction, stock.original) }
        quantity = max(0, stock.delivered - consumed)
        isGranted = stock.delivered > 0
        ended = stock.isAllRevoked ? .revoked : stock.isAllRefunded ? .refunded : nil
    }

    func precedes(_ other: Entitlement, _ names: NameTable) -> Bool {
        RowOrder(names).by(account, other.account).by(product, other.product)
            .by(from, other.from).by(original, other.original)
            .by(transaction, other.transaction).precedes
    }
}
