import PurchaseEvents

/// The transactions (including originals) and payments whose phases a story follows.
struct StoryNames {
    private(set) var transactions: Set<TransactionHandle> = []
    private(set) var payments: Set<PaymentHandle> = []

    init() {}

    init(_ scope: StoryScope) {
        transactions = scope.transactions.union(scope.originals)
        payments = scope.payments
    }

    /// Whether an event may change the phase of one of the names.
    func mayChange(by event: LogEvent) -> Bool {
        if let transaction = event.fact.transaction, transactions.contains(transaction) {
            return true
        }
        if let original = event.fact.original, transactions.contains(original) { return true }
        return event.fact.payment.map { payments.contains($0) } ?? false
    }

    /// Adds the names in an event, and the transaction that the event finishes by naming its
    /// payment.
    mutating func insert(_ event: LogEvent, finishing finished: TransactionHandle?) {
        for name in [event.fact.transaction, event.fact.original, finished] {
            if let name { transactions.insert(name) }
        }
        if let payment = event.fact.payment { payments.insert(payment) }
    }

    /// Adds other names; returns whether any of them is new.
    mutating func add(_ others: StoryNames) -> Bool {
        let count = transactions.count + payments.count
        transactions.formUnion(others.transactions)
        payments.formUnion(others.payments)
        return transactions.count + payments.count > count
    }
}
