import PurchaseEvents

/// A set of one log's transactions, at one bit each.
struct TransactionSet: Sendable, Snapshotted {
    private var words: [UInt64] = []

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&words) }

    func contains(_ transaction: TransactionHandle) -> Bool {
        let (word, bit) = (transaction.index / 64, transaction.index % 64)
        return word < words.count && words[word] >> UInt64(bit) & 1 != 0
    }

    /// Inserts a transaction; `false` if the set already contained it.
    @discardableResult
    mutating func insert(_ transaction: TransactionHandle) -> Bool {
        guard !contains(transaction) else { return false }
        let (word, bit) = (transaction.index / 64, transaction.index % 64)
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(bit)
        return true
    }
}
