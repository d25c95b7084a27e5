import PurchaseEvents

/// The accounts and transactions that only lines name which were not understood: a decoder takes in
/// names before it knows whether the line is good.
///
/// Costs nothing to speak of in blocks of events alone, as long as there are no such names.
struct EventlessNames {
    /// The handles that no event has named so far.
    private(set) var accounts: Set<Int> = [], transactions: Set<Int> = []
    /// How many names there were after the lines before.
    private var accountCount = 0, transactionCount = 0

    /// Takes in lines that were just decoded, with the table of their names.
    mutating func observe(_ lines: ReadLines, _ names: NameTable) {
        let counts = (names.count(of: .account), names.count(of: .transaction))
        if lines.allEvents == nil {
            accounts.formUnion(accountCount..<counts.0)
            transactions.formUnion(transactionCount..<counts.1)
        }
        (accountCount, transactionCount) = counts
        guard !accounts.isEmpty || !transactions.isEmpty else { return }
        for line in lines {
            if let event = line.eventPlace { remove(event.pointee) }
        }
    }

    private mutating func remove(_ event: Event<Interned>) {
        if let account = event.account { accounts.remove(account.index) }
        if case .accountLinked(let linked) = event.fact, let from = linked.from {
            accounts.remove(from.index)
        }
        if let transaction = event.fact.transaction { transactions.remove(transaction.index) }
        if let original = event.fact.original { transactions.remove(original.index) }
    }
}
