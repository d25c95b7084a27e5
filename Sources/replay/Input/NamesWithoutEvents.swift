import PurchaseEvents

/// The accounts and transactions that are named only in lines that weren't understood: a decoder
/// adds names to its table before it knows whether the line is an event.
///
/// While there are none, a block without bad lines costs almost nothing.
struct NamesWithoutEvents: Sendable, Snapshotted {
    /// The handles of names that no event has named so far.
    private(set) var accounts: Set<Int> = [], transactions: Set<Int> = []
    /// The numbers of names after the previous lines.
    private var accountCount = 0, transactionCount = 0

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&accounts).visit(&transactions).visit(&accountCount).visit(&transactionCount)
    }

    /// Adds lines, right after they were decoded, with the table of their names.
    mutating func observe(_ lines: ReadLines, _ names: NameTable) {
        let counts = (names.count(of: .account), names.count(of: .transaction))
        if lines.allEvents == nil {
            accounts.formUnion(accountCount..<counts.0)
            transactions.formUnion(transactionCount..<counts.1)
        }
        (accountCount, transactionCount) = counts
        guard !accounts.isEmpty || !transactions.isEmpty else { return }
        for line in lines { if let event = line.eventPlace { remove(event.pointee) } }
    }

    private mutating func remove(_ event: LogEvent) {
        if let account = event.account { accounts.remove(account.index) }
        if case .accountLinked(let linked) = event.fact, let from = linked.from {
            accounts.remove(from.index)
        }
        if let transaction = event.fact.transaction { transactions.remove(transaction.index) }
        if let original = event.fact.original { transactions.remove(original.index) }
    }
}
