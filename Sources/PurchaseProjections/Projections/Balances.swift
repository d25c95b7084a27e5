import PurchaseEvents

/// The units of each consumable that each account bought, got, consumed and gave back.
///
/// One row for each account and consumable, because `delivery.consumed` names no transaction
/// (G4.11). Counts the purchases that the App Store attests, by the account that owns them, or
/// where no statement names one, by the account that they were delivered to. Skips other
/// environments (G9.3); consumption without an account counts for the only account that bought the
/// product. The units of ``Entitlements`` are the same.
///
/// A refund counts with all units of its transaction; a refund of a part with its percentage of
/// them, rounded to the nearest unit, halves down, so that at least one unit stays paid for; a
/// revocation, which pays nobody back, with none. Sums
/// saturate. Cost: linear in the number of transactions.
public struct Balances: Projection, CatalogueProjection {
    /// The argument of `show`.
    public static let name = "balances"
    /// The question that the projection answers.
    public static let summary = "what is left of each account's consumables, and what refunds lost"
    /// The event types that the projection folds besides the facts.
    public static let reads = ConsumedUnits.reads
    package static let identity = ["account", "product"]
    package static let dependencies = RowDependencies(
        .consumable, ownType: .deliveryConsumed, ownLineHasRow: true)

    private var consumed = ConsumedUnits()

    package mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&consumed) }

    /// Creates the projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts already include.
    public mutating func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {
        consumed.observe(event, facts)
    }

    /// Calls `body` with each row, as known now and true at an instant.
    public func forEachRow(_ facts: Facts, asOf instant: Timestamp, _ body: (BalanceRow) -> Void) {
        let (names, texts) = (facts.names, RowTexts(facts.names))
        let stocks = consumed.allStocks(facts, asOf: instant)
        let sorted = stocks.inOrder(names, account: \.holder.account) { left, right in
            RowOrder(names).by(left.holder.account, right.holder.account)
                .by(left.holder.product, right.holder.product).precedes
        }
        for stock in sorted { body(BalanceRow(stock, texts)) }
    }
}

/// A row of ``Balances``.
public struct BalanceRow: ProjectionRow {
    /// The account; `nil` if unknown.
    public let account: String?
    /// The consumable.
    public let product: String
    /// The units bought, refunded ones too.
    public let bought: Int64
    /// The units that the app delivered, withdrawn ones too.
    public let delivered: Int64
    /// The units that the account consumed.
    public let consumed: Int64
    /// The units that the app withdrew.
    public let withdrawn: Int64
    /// The units that refunds paid back.
    public let refunded: Int64
    /// The units that the account can still use: those delivered and neither withdrawn nor
    /// consumed; at least 0.
    public let left: Int64
    /// The units that were refunded and already consumed: given away for nothing.
    ///
    /// The account consumes units that stay paid for first; only what it consumed beyond those
    /// counts, and no more than was refunded.
    public let uncollected: Int64

    fileprivate init(_ stock: ConsumableStock, _ texts: RowTexts) {
        account = texts.text(of: stock.holder.account)
        product = texts.text(of: stock.holder.product)
        bought = stock.bought
        delivered = stock.delivered
        consumed = stock.consumed
        withdrawn = stock.withdrawn
        refunded = stock.refunded
        left = stock.left
        uncollected = stock.uncollected
    }

    /// Writes the row's keys and values in the order of tool.md.
    public func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer) {
        writer.write("account", account)
        writer.write("product", product)
        writer.write("bought", bought)
        writer.write("delivered", delivered)
        writer.write("consumed", consumed)
        writer.write("withdrawn", withdrawn)
        writer.write("refunded", refunded)
        writer.write("left", left)
        writer.write("uncollected", uncollected)
    }
}
