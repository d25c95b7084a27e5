import PurchaseEvents
import PurchaseProjections

/// The company's own projection: how often each product was bought, and refunded.
struct RefundsByProduct: Projection {
    static let name = "refunds-by-product"
    static let summary = "how often each product was bought, and refunded"
    static let reads = EventTypes()

    func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {}

    func forEachRow(_ facts: Facts, asOf instant: Timestamp, _ body: (RefundRow) -> Void) {
        var rows: [String: RefundRow] = [:]
        for transaction in facts.knownTransactions {
            let known = facts[transaction]
            guard known.isPurchased, let product = known.product else { continue }
            let name = facts.names.text(of: product)
            var row = rows[name] ?? RefundRow(product: name)
            row.bought += 1
            if let refund = known.refund, refund.cancelledAt <= instant { row.refunded += 1 }
            rows[name] = row
        }
        for name in rows.keys.sorted() { if let row = rows[name] { body(row) } }
    }
}

/// The numbers of purchases and refunds of one product.
struct RefundRow: ProjectionRow {
    var product: String
    var bought: Int64 = 0, refunded: Int64 = 0

    var account: String? { nil }

    func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer) {
        writer.write("product", product)
        writer.write("bought", bought)
        writer.write("refunded", refunded)
    }
}
