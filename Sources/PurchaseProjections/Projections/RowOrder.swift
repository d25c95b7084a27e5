/// Compares rows by their texts' bytes and their times, never by where the log first named them.
///
/// Names are opaque: the order is that of bytes, so that equal rows stand in equal places.
struct RowOrder {
    private var result: Bool?

    /// The order by a text; none comes before any.
    func by(_ left: String?, _ right: String?) -> RowOrder {
        guard result == nil else { return self }
        guard let left, let right else { return decided(left == nil, right == nil) }
        let order = left.byteOrder(beside: right)
        return order == 0 ? self : RowOrder(result: order < 0)
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

extension Array where Element: ProjectionRow {
    /// The rows by account, none first, and of one account by `precedes`, which asks for the
    /// account too.
    ///
    /// Accounts are told apart by their first bytes, as one number: comparing rows costs far more.
    func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] {
        var places = indices.map { (account: RowOrder.beginning(of: self[$0].account), at: $0) }
        places.sort { left, right in
            if left.account != right.account { return left.account < right.account }
            return precedes(self[left.at], self[right.at])
        }
        return places.map { self[$0.at] }
    }
}

extension RowOrder {
    /// The first eight bytes of a text as one number, which is in order as the bytes are; 0 for
    /// none, since a name has no zero byte.
    fileprivate static func beginning(of text: String?) -> UInt64 {
        guard let text else { return 0 }
        var (number, shift): (UInt64, UInt64) = (0, 56)
        for byte in text.utf8.prefix(8) {
            number |= UInt64(byte) &<< shift
            shift &-= 8
        }
        return number
    }
}
