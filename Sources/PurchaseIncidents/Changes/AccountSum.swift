import PurchaseProjections

/// An account's row, added up from the rows of the account's families.
///
/// Purchases and amounts add up. Whether payers are irregular depends on the times of all payments,
/// so the rows of an account with more than two payers don't add up (G3.5).
struct AccountSum {
    private var rows = 0
    private var transactions: Int64 = 0
    /// For each payer and for each currency, the number of parts that name it.
    private var payers: [[UInt8]: Int] = [:]
    private var spent: [String: Amount] = [:], refunded: [String: Amount] = [:]

    private struct Amount {
        var parts = 0
        var thousandths: Int128 = 0
    }

    /// The changes of accounts' rows, from the changes of rows of their parts; `nil` if an account
    /// has more than two payers.
    static func joined(_ changes: [RowEvent]) -> [RowEvent]? {
        var sums: [RowIdentity: (sum: AccountSum, row: ShownRow?)] = [:]
        var joined: [RowEvent] = []
        let lines = Dictionary(grouping: changes, by: \.line)
        for line in lines.keys.sorted() {
            let accounts = Dictionary(grouping: lines[line] ?? []) { $0.identity }
            for case (let identity?, let changes) in accounts {
                var (sum, before) = sums[identity] ?? (AccountSum(), nil)
                for change in changes {
                    if let row = change.before { sum.add(row, -1) }
                    if let row = change.after { sum.add(row, 1) }
                }
                guard sum.payers.count <= 2 else { return nil }
                let after = sum.row(of: identity)
                sums[identity] = (sum, after)
                if before != after {
                    joined.append(RowEvent(line: line, before: before, after: after))
                }
            }
        }
        return joined
    }

    /// Adds the row of a part, or takes it away if `sign` is -1.
    private mutating func add(_ row: ShownRow, _ sign: Int) {
        rows += sign
        if case .integer(let count) = row["transactions"] { transactions += count * Int64(sign) }
        if case .list(let names) = row["payers"] {
            for case .text(let name) in names {
                let bytes = Array(name.utf8)
                let parts = payers[bytes, default: 0] + sign
                payers[bytes] = parts == 0 ? nil : parts
            }
        }
        AccountSum.add(row["spent"], sign, to: &spent)
        AccountSum.add(row["refunded"], sign, to: &refunded)
    }

    private static func add(_ amounts: RowValue?, _ sign: Int, to sums: inout [String: Amount]) {
        guard case .object(let fields) = amounts else { return }
        for field in fields {
            guard case .integer(let thousandths) = field.value else { continue }
            var sum = sums[field.key] ?? Amount()
            sum.parts += sign
            sum.thousandths += Int128(thousandths) * Int128(sign)
            sums[field.key] = sum.parts == 0 ? nil : sum
        }
    }

    /// The account's row; `nil` if no part has one.
    private func row(of identity: RowIdentity) -> ShownRow? {
        guard rows > 0 else { return nil }
        var fields = identity.fields
        if !payers.isEmpty {
            let names = payers.keys.sorted { $0.lexicographicallyPrecedes($1) }
            let texts = names.map { RowValue.text(String(decoding: $0, as: UTF8.self)) }
            fields.append(RowField("payers", .list(texts)))
        }
        fields.append(RowField("transactions", .integer(transactions)))
        for (key, sums) in [("spent", spent), ("refunded", refunded)] where !sums.isEmpty {
            let amounts = sums.sorted { $0.key < $1.key }.map { currency, sum in
                RowField(currency, .integer(Int64(clamping: sum.thousandths)))
            }
            fields.append(RowField(key, .object(amounts)))
        }
        fields.append(RowField("irregular", .flag(false)))
        return ShownRow(fields, of: identity.projection)
    }
}
