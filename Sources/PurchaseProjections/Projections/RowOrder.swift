/// Compares rows by their texts' bytes and their times, never by where the log first named them.
///
/// Names are opaque: the order is that of bytes, so that equal rows stand in equal places.
struct RowOrder {
    private var result: Bool?

    /// The order by a text; none comes before any.
    func by(_ left: String?, _ right: String?) -> RowOrder {
        guard result == nil else { return self }
        guard let left, let right else { return decided(left == nil, right == nil) }
        if left.utf8.lexicographicallyPrecedes(right.utf8) { return RowOrder(result: true) }
        if right.utf8.lexicographicallyPrecedes(left.utf8) { return RowOrder(result: false) }
        return self
    }

    /// The order by anything that has one; none comes before any.
    func by<Value: Comparable>(_ left: Value?, _ right: Value?) -> RowOrder {
        guard result == nil else { return self }
        guard let left, let right else { return decided(left == nil, right == nil) }
        return left == right ? self : RowOrder(result: left < right)
    }

    /// Whether the left row comes before the right one.
    var precedes: Bool { result ?? false }

    private func decided(_ isLeftAbsent: Bool, _ isRightAbsent: Bool) -> RowOrder {
        isLeftAbsent == isRightAbsent ? self : RowOrder(result: isLeftAbsent)
    }
}
