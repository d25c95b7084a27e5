import PurchaseEvents

/// The rows of one document: each transaction once for each distinct content, by purchase date, and
/// what they say of each subscription line.
struct AppStoreRows {
    /// What the rows of a line say together.
    private struct Line {
        /// The place of its newest period.
        var newest: Int?
        /// The last end of its periods.
        var end: Timestamp?
        /// The account that the newest row names which names one.
        var account: String?

        mutating func take(_ row: AppStoreRow, at place: Int) {
            if row.expiresAt != nil, row.isUpgraded != true { newest = place }
            if let other = row.endsAt { end = max(end ?? other, other) }
            account = row.account ?? account
        }
    }

    /// The rows, by purchase date.
    let all: [AppStoreRow]
    private var lines: [String: Line] = [:]
    /// The line of the rows of each product; `nil` where they are of several.
    private var linesOfProducts: [String: String?] = [:]

    /// The rows as they were read.
    init(_ rows: [AppStoreRow]) {
        self.init(sorted: AppStoreRows.merged(rows))
    }

    private init(sorted rows: [AppStoreRow]) {
        all = rows
        for (place, row) in rows.enumerated() {
            lines[row.line, default: Line()].take(row, at: place)
            if let known = linesOfProducts[row.product], known != row.line {
                linesOfProducts.updateValue(nil, forKey: row.product)
            } else {
                linesOfProducts.updateValue(row.line, forKey: row.product)
            }
        }
    }

    /// The rows with another in a place, which was bought when the one there was.
    func replacing(_ place: Int, with row: AppStoreRow) -> AppStoreRows {
        var rows = all
        rows[place] = row
        return AppStoreRows(sorted: rows)
    }

    /// The last period of a line, by purchase date, that no other took the place of: a period that
    /// was refunded is still the one that was bought last.
    func newest(of line: String) -> AppStoreRow? {
        lines[line]?.newest.map { all[$0] }
    }

    /// The last end of a line's periods, of what was taken back when it was.
    ///
    /// It is a date that has passed where the line is said to have lapsed: the dates of periods
    /// that were refunded or upgraded may lie a year ahead then.
    func lastEnd(of line: String) -> Timestamp? { lines[line]?.end }

    /// The account that the newest row of a line names.
    func account(of line: String) -> String? { lines[line]?.account }

    /// The account that all rows name which name one; `nil` where they name several.
    var soleAccount: String? {
        let accounts = Set(all.lazy.compactMap(\.account))
        return accounts.count == 1 ? accounts.first : nil
    }

    /// The line that all rows belong to; `nil` where they are of several.
    var soleLine: String? { lines.count == 1 ? lines.keys.first : nil }

    /// The line that all rows of a product belong to; `nil` where they are of several.
    func soleLine(ofProduct product: String) -> String? {
        linesOfProducts[product].flatMap { $0 }
    }
}

extension AppStoreRows {
    /// With how many rows of its transaction a row is compared: a transaction has two or three.
    private static let compared = 16

    /// What two rows of a transaction say is merged where they don't contradict each other: the
    /// same purchase stands in `in_app` and, with more keys, in `latest_receipt_info`.
    private static func merged(_ rows: [AppStoreRow]) -> [AppStoreRow] {
        var merged: [AppStoreRow] = []
        var places: [String: [Int]] = [:]
        var seen: Set<AppStoreRow> = []
        for row in rows where seen.insert(row).inserted {
            var isTaken = false
            for place in places[row.transaction, default: []] where !isTaken {
                if let both = merged[place].merged(with: row) {
                    merged[place] = both
                    isTaken = true
                }
            }
            if !isTaken {
                if places[row.transaction, default: []].count < compared {
                    places[row.transaction, default: []].append(merged.count)
                }
                merged.append(row)
            }
        }
        // Neither the rows of `in_app` nor identifiers are in the order of time; equal dates keep
        // the order of the source, since `sorted` is not promised to.
        return merged.enumerated().sorted {
            ($0.element.purchasedAt, $0.offset) < ($1.element.purchasedAt, $1.offset)
        }.map(\.element)
    }
}
