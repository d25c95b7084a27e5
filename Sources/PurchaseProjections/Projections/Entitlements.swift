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
        consumed[holder, default: 0].addSaturating(fact.quantity ?? 1)
    }

    /// Calls `body` with each row by what is known now, as true at an instant.
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
                facts.isAtHome(transaction), let product = purchase.product,
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
            // What is consumed without saying by whom is the only holder's.
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

/// What an account bought of a consumable.
private struct Stock {
    let holder: Holder
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
        delivered.addSaturating(purchase.deliveredQuantity)
        if refund == nil, purchase.validation != .invalid {
            owed.addSaturating(purchase.quantity)
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

    fileprivate init(_ entitlement: Entitlement, _ texts: RowTexts) {
        account = texts.text(of: entitlement.account)
        product = texts.text(of: entitlement.product)
        kind = entitlement.kind
        isActive = entitlement.isActive
        from = entitlement.from
        until = entitlement.until
        because = entitlement.because.rawValue
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

/// What a row of ``Entitlements`` is made of.
private struct Entitlement {
    var account: AccountID<Interned>?
    var product: ProductID<Interned>?
    var kind: ProductKind?
    var isActive: Bool
    var from: Timestamp?
    var until: Timestamp?
    var because: Holding.Because
    /// Both of them, or none for several purchases of a consumable.
    var transaction: TransactionID<Interned>?, original: TransactionID<Interned>?
    var quantity: Int64?
    var isGranted: Bool
    var ended: Holding.Ended?

    init(_ holding: Holding) {
        (account, product, kind) = (holding.account, holding.product, holding.kind)
        isActive = holding.isActive
        (from, until, because) = (holding.from, holding.until, holding.because)
        (transaction, original) = (holding.transaction, holding.original)
        isGranted = holding.grant.stands
        ended = holding.ended
    }

    init(_ stock: Stock, consumed: Int64) {
        (account, product, kind) = (stock.holder.account, stock.holder.product, .consumable)
        isActive = stock.owed > consumed
        (from, because) = (stock.from, .purchase)
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
