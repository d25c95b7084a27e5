import PurchaseEvents

/// The findings of a rule that come first by line, at most a limit of them.
///
/// At the limit, the findings form a heap with the last one on top, so that an earlier finding
/// replaces it. Memory: as many findings as the limit.
struct EarliestFindings: Sendable {
    private struct Entry: Sendable {
        var finding: Finding
        /// The number of findings that came before this one.
        var order: Int

        func isAfter(_ other: Entry) -> Bool {
            (finding.line, order) > (other.finding.line, other.order)
        }
    }

    /// The number of findings to keep; 0 keeps all, and a negative number none.
    let limit: Int
    private var entries: [Entry] = []
    private var added = 0

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&entries, empty: Entry(finding: Finding.empty, order: 0)) {
            $0.finding.visitFields(visitor)
            visitor.visit(&$0.order)
        }
        visitor.visit(&added)
    }

    init(limit: Int) { self.limit = limit }

    @inline(__always)
    func accepts(_ line: LineNumber) -> Bool {
        guard limit != 0, entries.count >= limit else { return true }
        return limit > 0 && line < entries[0].finding.line
    }

    /// Keeps a finding, in place of the last one if there is no room.
    ///
    /// - Precondition: The findings accept its line.
    mutating func add(_ finding: Finding) {
        let entry = Entry(finding: finding, order: added)
        added += 1
        guard limit > 0, entries.count == limit else {
            entries.append(entry)
            if entries.count == limit {
                for place in (0..<limit / 2).reversed() {
                    entries.sift(from: place) { $0.isAfter($1) }
                }
            }
            return
        }
        entries[0] = entry
        entries.sift(from: 0) { $0.isAfter($1) }
    }

    /// Removes all findings and returns them by line; those of one line stay in order.
    mutating func removeAll() -> [Finding] {
        guard !entries.isEmpty else { return [] }
        defer { entries = [] }
        return entries.sorted { $1.isAfter($0) }.map(\.finding)
    }
}
