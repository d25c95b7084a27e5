import PurchaseEvents

/// The rows of one document by purchase date, without repetitions, and a summary of the rows of
/// each subscription.
struct AppStoreRows {
    private struct Line {
        var newest: Int?
        var end: Timestamp?
        var account: String?

        mutating func take(_ row: AppStoreRow, at index: Int) {
            if row.expiresAt != nil, row.isUpgraded != true { newest = index }
            if let other = row.endsAt { end = max(end ?? other, other) }
            account = row.account ?? account
        }
    }

    /// The rows, by purchase date.
    let all: [AppStoreRow]
    private var lines: [String: Line] = [:]
    /// The line of each product; `nil` for a product with rows of several lines.
    private var linesOfProducts: [String: String?] = [:]

    init(_ rows: [AppStoreRow]) { self.init(sorted: AppStoreRows.merged(rows)) }

    private init(sorted rows: [AppStoreRow]) {
        all = rows
        for (index, row) in rows.enumerated() {
            lines[row.line, default: Line()].take(row, at: index)
            if let known = linesOfProducts[row.product], known != row.line {
                linesOfProducts.updateValue(nil, forKey: row.product)
            } else {
                linesOfProducts.updateValue(row.line, forKey: row.product)
            }
        }
    }

    /// The rows with one replaced by a row of the same purchase date.
    func replacing(_ index: Int, with row: AppStoreRow) -> AppStoreRows {
        var rows = all
        rows[index] = row
        return AppStoreRows(sorted: rows)
    }

    /// The newest period of a subscription by purchase date, save upgraded ones; it may be
    /// refunded.
    func newest(of line: String) -> AppStoreRow? { lines[line]?.newest.map { all[$0] } }

    /// The latest end of a subscription's periods; a cancelled period ends at its cancellation.
    ///
    /// For a lapsed line this is a past date, while the stated ends of refunded or upgraded periods
    /// may be a year ahead.
    func lastEnd(of line: String) -> Timestamp? { lines[line]?.end }

    /// The account of the newest row of a subscription with an account.
    func account(of line: String) -> String? { lines[line]?.account }

    /// The account of all rows with an account, or `nil` if they name none or several.
    var soleAccount: String? {
        let accounts = Set(all.lazy.compactMap(\.account))
        return accounts.count == 1 ? accounts.first : nil
    }

    /// The line of all rows, or `nil` if there are none or several.
    var soleLine: String? { lines.count == 1 ? lines.keys.first : nil }

    /// The line of all rows of a product, or `nil` if there are none or several.
    func soleLine(ofProduct product: String) -> String? { linesOfProducts[product].flatMap { $0 } }
}

extension AppStoreRows {
    /// The most rows of a transaction to compare a row with; normally there are two or three.
    private static let compared = 16

    /// Merges rows of a transaction that don't contradict each other: the same purchase is in
    /// `in_app` and, with more keys, in `latest_receipt_info`.
    private static func merged(_ rows: [AppStoreRow]) -> [AppStoreRow] {
        var merged: [AppStoreRow] = []
        var indices: [String: [Int]] = [:]
        var seen: Set<AppStoreRow> = []
        for row in rows where seen.insert(row).inserted {
            var isTaken = false
            for index in indices[row.transaction, default: []] where !isTaken {
                if let both = merged[index].merged(with: row) {
                    merged[index] = both
                    isTaken = true
                }
            }
            if !isTaken {
                if indices[row.transaction, default: []].count < compared {
                    indices[row.transaction, default: []].append(merged.count)
                }
                merged.append(row)
            }
        }
        // Neither the order of `in_app` nor that of identifiers is the order of time. Rows with
        // equal dates keep the order of the source, which `sorted` alone doesn't guarantee.
        return merged.enumerated().sorted {
            ($0.element.purchasedAt, $0.offset) < ($1.element.purchasedAt, $1.offset)
        }.map(\.element)
    }
}
