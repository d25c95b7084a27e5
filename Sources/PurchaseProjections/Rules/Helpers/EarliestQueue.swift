import PurchaseEvents

/// Values in order of a number: the least number comes out first.
///
/// A binary heap: adding and removing a value costs the logarithm of their number.
struct EarliestQueue: SnapshottedElement, Sendable {
    private var entries: [(order: Int64, value: UInt32)] = []

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&entries) }

    mutating func add(_ value: UInt32, at order: Int64) {
        entries.push((order, value)) { $0.order < $1.order }
    }

    /// Removes and returns the first value, if its number is at most `end`.
    mutating func next(upTo end: Int64) -> UInt32? {
        guard let first = entries.first, first.order <= end else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        entries.sift(from: 0) { $0.order < $1.order }
        return first.value
    }
}
