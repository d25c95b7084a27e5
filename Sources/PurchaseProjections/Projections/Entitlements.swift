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
    public static let reads = ConsumedUnits.reads
    package static let identity = ["account", "product", "original"]
    package static let dependencies = RowDependencies(.consumable, ownType: .deliveryConsumed)

    private var consumed = ConsumedUnits()

    package mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&consumed) }

    /// Creates the projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts already include.
    public mutating func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {
        consumed.observe(event, facts)
    }

    /// Calls `body` with each row, as known now and true at an instant.
    public func forEachRow(
        _ facts: Facts, asOf instant: Timestamp, _ body: (EntitlementRow) -> Void
    ) {
        var all = facts.holdings(asOf: instant).map { Entitlement($0) }
        all += consumed.stocks(facts, asOf: instant).map { Entitlement($0, facts) }
        let texts = RowTexts(facts.names)
        for one in all.inOrder(facts.names, account: \.account, { $0.precedes($1, facts.names) }) {
            body(EntitlementRow(one, texts))
        }
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

private struct Entitlement {
    var account: AccountHandle?
    var product: ProductHandle?
    var kind: ProductKind?
    var isActive: Bool
    var from: Timestamp?
    var until: Timestamp?
    var basis: Holding.Basis
    /// Both `nil` for several purchases of a consumable.
    var transaction: TransactionHandle?, original: TransactionHandle?
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

    init(_ stock: ConsumableStock, _ facts: Facts) {
        (account, product, kind) = (stock.holder.account, stock.holder.product, .consumable)
        isActive = stock.owed > stock.consumed
        (from, basis) = (stock.from, .purchase)
        if stock.purchases == 1, let only = stock.transaction {
            (transaction, original) = (only, facts.original(of: only))
        }
        quantity = stock.left
        isGranted = stock.standing > 0
        ended = stock.isAllRevoked ? .revoked : stock.isAllRefunded ? .refunded : nil
    }

    func precedes(_ other: Entitlement, _ names: NameTable) -> Bool {
        RowOrder(names).by(account, other.account).by(product, other.product)
            .by(from, other.from).by(original, other.original)
            .by(transaction, other.transaction).precedes
    }
}
