import PurchaseEvents

/// Values in order of a number: the least number comes out first.
///
/// A binary heap: adding and removing a value costs the logarithm of their number.
struct EarliestQueue: SnapshottedElement, Sendable {
    private var entries: [(order: Int64, value: UInt32)] = []

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&entries) }

    mutating func add(_ value: UInt32, at order: Int64) {
        entries.append((order, value))
        var place = entries.count - 1
        while place > 0, entries[place].order < entries[(place - 1) / 2].order {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes and returns the first value, if its number is at most `end`.
    mutating func next(upTo end: Int64) -> UInt32? {
        guard let first = entries.first, first.order <= end else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var place = 0
        while 2 * place + 1 < entries.count {
            var child = 2 * place + 1
            if child + 1 < entries.count, entries[child + 1].order < entries[child].order {
                child += 1
            }
            guard entries[child].order < entries[place].order else { break }
            entries.swapAt(place, child)
            place = child
        }
        return first.value
    }
}
