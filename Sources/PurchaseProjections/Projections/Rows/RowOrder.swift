import PurchaseEvents

/// Compares what rows are of by the bytes of names and by times, never by where the log first
/// named them.
///
/// Names are opaque: the order is that of bytes, so that equal rows stand in equal places.
struct RowOrder {
    private let names: NameTable
    private var result: Bool?

    /// Nothing compared yet; the names are in a table.
    @inline(__always)
    init(_ names: NameTable) { self.names = names }

    /// The order by a name; none comes before any.
    @inline(__always)
    func by<Role>(
        _ left: Identifier<Role, Interned>?, _ right: Identifier<Role, Interned>?
    ) -> RowOrder {
        guard result == nil, left != right else { return self }
        guard let left, let right else { return decided(left == nil) }
        return decided(names.precedes(left, right))
    }

    /// The order by a time; none comes before any.
    @inline(__always)
    func by(_ left: Timestamp?, _ right: Timestamp?) -> RowOrder {
        guard result == nil, left != right else { return self }
        guard let left, let right else { return decided(left == nil) }
        return decided(left < right)
    }

    /// Whether the left row comes before the right one.
    var precedes: Bool { result ?? false }

    @inline(__always)
    private func decided(_ isLeftFirst: Bool) -> RowOrder {
        var order = self
        order.result = isLeftFirst
        return order
    }
}

extension Array {
    /// What rows are of by account, none first, and of one account by `precedes`, which asks for
    /// the account too.
    ///
    /// Accounts are told apart by their first bytes, as one number: comparing names costs far more.
    func inOrder(
        _ names: NameTable, account: (Element) -> AccountID<Interned>?,
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
    /// The first eight bytes of an account's name as one number, which is in order as the bytes
    /// are; 0 for none, since a name has no zero byte.
    fileprivate func beginning(of account: AccountID<Interned>?) -> UInt64 {
        guard let account else { return 0 }
        var (number, shift): (UInt64, UInt64) = (0, 56)
        for byte in bytes(of: account).prefix(8) {
            number |= UInt64(byte) &<< shift
            shift &-= 8
        }
        return number
    }
}
