import PurchaseEvents

/// Compares rows by the bytes of names and by times, never by their position in the log.
///
/// Names are opaque, so they sort by bytes and equal rows get equal places.
struct RowOrder {
    private let names: NameTable
    private var result: Bool?

    @inline(__always)
    init(_ names: NameTable) { self.names = names }

    /// Compares by a name next; `nil` sorts first.
    @inline(__always)
    func by<Role>(
        _ left: Identifier<Role, Interned>?, _ right: Identifier<Role, Interned>?
    ) -> RowOrder {
        guard result == nil, left != right else { return self }
        guard let left, let right else { return decided(left == nil) }
        return decided(names.precedes(left, right))
    }

    /// Compares by a time next; `nil` sorts first.
    @inline(__always)
    func by(_ left: Timestamp?, _ right: Timestamp?) -> RowOrder {
        guard result == nil, left != right else { return self }
        guard let left, let right else { return decided(left == nil) }
        return decided(left < right)
    }

    var precedes: Bool { result ?? false }

    @inline(__always)
    private func decided(_ isLeftFirst: Bool) -> RowOrder {
        var order = self
        order.result = isLeftFirst
        return order
    }
}

extension Array {
    /// The elements sorted by account, `nil` first, and within an account by `precedes`, which
    /// compares accounts too.
    ///
    /// Most accounts differ in their first bytes, which compare as one number; comparing whole
    /// names costs far more.
    func inOrder(
        _ names: NameTable, account: (Element) -> AccountHandle?,
        _ precedes: (Element, Element) -> Bool
    ) -> [Element] {
        var places = indices.map { (account: names.beginning(of: account(self[$0])), at: $0) }
        places.sort { left, right in
            if left.account != right.account { return left.account < right.account }
            return precedes(self[left.at], self[right.at])
        }
        return places.map { self[$0.at] }
    }
}

extension NameTable {
    /// The first eight bytes of an account's name as a number with the same order; 0 for `nil`,
    /// because a name has no zero byte.
    fileprivate func beginning(of account: AccountHandle?) -> UInt64 {
        guard let account else { return 0 }
        var (number, shift): (UInt64, UInt64) = (0, 56)
        for byte in bytes(of: account).prefix(8) {
            number |= UInt64(byte) &<< shift
            shift &-= 8
        }
        return number
    }
}
