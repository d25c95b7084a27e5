import PurchaseEvents
import PurchaseProjections

/// Compares the rows of one projection in two logs, given as JSON lines in the order of `show`.
///
/// Rows are sorted by account, so equal rows are skipped in pairs. If the rows of an account
/// differ, they are matched by their keys.
struct RowComparison {
    private let projection: any Projection.Type
    private let keys: [String]
    private var left: RowCursor
    private var right: RowCursor

    init(
        _ projection: any Projection.Type, _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) {
        self.projection = projection
        keys = RowIdentity.keys(of: projection)
        self.left = RowCursor(left)
        self.right = RowCursor(right)
    }

    /// Calls `visit` with each difference, in the order of the accounts.
    mutating func differences(_ visit: (RowDifference) throws -> Void) rethrows {
        while true {
            switch (left.row, right.row) {
            case (nil, nil): return
            case (let row?, let other?):
                if row.elementsEqual(other) {
                    left.advance()
                    right.advance()
                    continue
                }
                let (account, otherAccount) = (left.account, right.account)
                if account == otherAccount {
                    try match(left.group(), right.group(), visit)
                } else if RowCursor.precedes(account, otherAccount) {
                    try only(left.group(), .vanishes, visit)
                } else {
                    try only(right.group(), .appears, visit)
                }
            case (_?, nil): try only(left.group(), .vanishes, visit)
            case (nil, _?): try only(right.group(), .appears, visit)
            }
        }
    }

    private func only(
        _ rows: [UnsafeRawBufferPointer], _ presence: LogDifference.Presence,
        _ visit: (RowDifference) throws -> Void
    ) rethrows {
        for row in rows {
            try visit(RowDifference(projection.name, RowMembers(row, keys), presence))
        }
    }

    /// Compares the rows of one account: matches them by their keys, and rows with equal keys one
    /// by one.
    private func match(
        _ rows: [UnsafeRawBufferPointer], _ others: [UnsafeRawBufferPointer],
        _ visit: (RowDifference) throws -> Void
    ) rethrows {
        var places: [String: [Int]] = [:]
        for (index, other) in others.enumerated() {
            places[RowMembers(other, keys).identityText, default: []].append(index)
        }
        var isMatched = [Bool](repeating: false, count: others.count)
        for row in rows {
            let members = RowMembers(row, keys)
            let candidates = (places[members.identityText] ?? []).filter { !isMatched[$0] }
            let equal = candidates.first { others[$0].elementsEqual(row) }
            guard let place = equal ?? candidates.first else {
                try visit(RowDifference(projection.name, members, .vanishes))
                continue
            }
            isMatched[place] = true
            if equal == nil {
                try visit(RowDifference(projection.name, members, RowMembers(others[place], keys)))
            }
        }
        for (index, other) in others.enumerated() where !isMatched[index] {
            try visit(RowDifference(projection.name, RowMembers(other, keys), .appears))
        }
    }
}

/// Iterates over rows written as JSON lines.
private struct RowCursor {
    private var rest: UnsafeRawBufferPointer
    /// The current row; `nil` at the end.
    private(set) var row: UnsafeRawBufferPointer?

    init(_ rows: UnsafeRawBufferPointer) {
        rest = rows
        advance()
    }

    mutating func advance() {
        guard let end = rest.endOfLine(from: 0) else {
            row = nil
            return
        }
        row = UnsafeRawBufferPointer(rebasing: rest[..<end])
        rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
    }

    private static let accountKey = Array(#"{"account":""#.utf8)

    var account: [UInt8]? {
        guard let row, row.starts(with: RowCursor.accountKey) else { return nil }
        let name = row.dropFirst(RowCursor.accountKey.count).prefix { $0 != UInt8(ascii: "\"") }
        guard name.contains(UInt8(ascii: "\\")) else { return Array(name) }
        guard case .string(let text) = LineMembers(Array(row))?.members.first?.value else {
            return nil
        }
        return Array(text.utf8)
    }

    /// Returns the following rows of the same account and moves past them.
    mutating func group() -> [UnsafeRawBufferPointer] {
        let account = account
        var rows: [UnsafeRawBufferPointer] = []
        while let row, self.account == account {
            rows.append(row)
            advance()
        }
        return rows
    }

    /// Whether an account sorts before another: by bytes, with no account first.
    static func precedes(_ account: [UInt8]?, _ other: [UInt8]?) -> Bool {
        guard let other else { return false }
        guard let account else { return true }
        return account.lexicographicallyPrecedes(other)
    }
}
