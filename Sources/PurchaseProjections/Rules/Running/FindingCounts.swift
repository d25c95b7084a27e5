import PurchaseEvents

/// The findings of a rule, counted by what they name.
///
/// Memory grows with the distinct names, not with the findings.
package struct FindingCounts: Sendable {
    /// The account and the key that findings name.
    package struct Name: Hashable, Sendable {
        package fileprivate(set) var account: AccountHandle?
        /// The key as UTF-8 bytes.
        package fileprivate(set) var key: [UInt8]?
    }

    /// The findings with one name.
    package struct Entry: Sendable {
        /// The number of findings by level.
        package fileprivate(set) var counts: [Level: Int] = [:]
        /// The first line with a finding.
        package fileprivate(set) var firstLine: LineNumber
    }

    /// The findings by name.
    package private(set) var entries: [Name: Entry] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        var known = entries.map { (name: $0.key, entry: $0.value) }
        let empty = (name: Name(account: nil, key: nil), entry: Entry(firstLine: 0))
        visitor.visit(&known, empty: empty) {
            visitor.visit(&$0.name.account)
            var keys = $0.name.key.map { [$0] } ?? []
            visitor.visit(&keys, empty: []) { visitor.visit(&$0) }
            $0.name.key = keys.first
            visitor.visit(&$0.entry.counts).visit(&$0.entry.firstLine)
        }
        if visitor.isReading {
            entries = Dictionary(known.map { ($0.name, $0.entry) }) { first, _ in first }
        }
    }

    /// The number of findings by level.
    package var counts: [Level: Int] {
        entries.values.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
    }

    /// The findings with the names that meet a condition.
    package func filter(_ isIncluded: (Name, Entry) -> Bool) -> FindingCounts {
        var included = FindingCounts()
        included.entries = entries.filter { isIncluded($0.key, $0.value) }
        return included
    }

    mutating func add(_ level: Level, at line: LineNumber, account: AccountHandle?, key: String?) {
        let name = Name(account: account, key: key.map { Array($0.utf8) })
        add(Entry(counts: [level: 1], firstLine: line), name)
    }

    mutating func add(_ other: FindingCounts) {
        for (name, entry) in other.entries { add(entry, name) }
    }

    private mutating func add(_ entry: Entry, _ name: Name) {
        var known = entries.removeValue(forKey: name) ?? Entry(firstLine: entry.firstLine)
        known.counts.merge(entry.counts, uniquingKeysWith: +)
        known.firstLine = min(known.firstLine, entry.firstLine)
        entries[name] = known
    }
}
