import PurchaseEvents
import PurchaseProjections

/// The subject of a story: a key, and everything that belongs to the same purchase.
struct StoryScope {
    /// The subjects that the key names; one name may be both a transaction and a payment.
    private(set) var subjects: [Subject] = []
    private(set) var transactions: Set<TransactionHandle> = []
    private(set) var payments: Set<PaymentHandle> = []
    /// The subscriptions, by original, whose own events belong to the story.
    private(set) var originals: Set<TransactionHandle> = []
    /// An account or a product whose every event belongs to the story.
    private(set) var account: AccountHandle?
    private(set) var product: ProductHandle?
    /// The transaction and the payment that the key itself names.
    private var transaction: TransactionHandle?
    private var payment: PaymentHandle?
    private let facts: Facts

    enum Subject: String, Hashable, Sendable { case transaction, payment, account, product }

    /// Creates the scope of a key; if no line has that name, the scope has no subjects.
    init(_ key: String, _ facts: Facts) {
        self.facts = facts
        let names = facts.names
        if let found = names.find(TransactionID<Written>(key)) {
            subjects.append(.transaction)
            transaction = found
            add([found])
        }
        if let found = names.find(PaymentID<Written>(key)) {
            subjects.append(.payment)
            payment = found
            payments.insert(found)
            add(facts.knownTransactions.filter { facts[$0].payment == found })
        }
        if let found = names.find(AccountID<Written>(key)) {
            subjects.append(.account)
            account = found
            addAll { facts.owner(of: $0) == found }
        }
        if let found = names.find(ProductID<Written>(key)) {
            subjects.append(.product)
            product = found
            addAll { facts[$0].product == found }
            for payment in facts.knownPayments where facts[payment].product == found {
                payments.insert(payment)
            }
        }
    }

    /// Adds transactions with their originals and payments, every transaction that names one of
    /// them as its original, and every other restore of a purchase that one of them restores.
    private mutating func add(_ named: [TransactionHandle]) {
        var restored: Set<TransactionHandle> = []
        var first: Set<TransactionHandle> = []
        for transaction in named {
            let original = facts.original(of: transaction)
            insert(transaction)
            insert(original)
            originals.insert(original)
            if original == transaction { first.insert(original) } else { restored.insert(original) }
        }
        for other in facts.knownTransactions {
            let original = facts.original(of: other)
            if first.contains(original) || facts[other].isRestored && restored.contains(original) {
                insert(other)
            }
        }
    }

    private mutating func addAll(_ belongs: (TransactionHandle) -> Bool) {
        for transaction in facts.knownTransactions where belongs(transaction) {
            insert(transaction)
            originals.insert(facts.original(of: transaction))
        }
    }

    private mutating func insert(_ transaction: TransactionHandle) {
        transactions.insert(transaction)
        if let payment = facts[transaction].payment { payments.insert(payment) }
    }

    /// The subjects that the key names in an event; one that no event names comes from lines that
    /// were not understood or not selected.
    func subjects(in event: LogEvent) -> [Subject] {
        subjects.filter { isNamed(as: $0, by: event) }
    }

    private func isNamed(as subject: Subject, by event: LogEvent) -> Bool {
        switch subject {
        case .transaction:
            event.fact.transaction == transaction || event.fact.original == transaction
        case .payment: event.fact.payment == payment
        case .account:
            if case .accountLinked(let linked) = event.fact, linked.from == account {
                true
            } else {
                event.account == account
            }
        case .product:
            if case .renewalPlanChanged(let change) = event.fact, change.next == product {
                true
            } else {
                event.fact.product == product
            }
        }
    }

    mutating func keep(_ named: Set<Subject>) { subjects.removeAll { !named.contains($0) } }

    func includes(_ event: LogEvent) -> Bool {
        if subjects.contains(where: { isNamed(as: $0, by: event) }) { return true }
        if let payment = event.fact.payment, payments.contains(payment) { return true }
        if let transaction = event.fact.transaction { return transactions.contains(transaction) }
        return event.fact.original.map { originals.contains($0) } ?? false
    }

    /// Whether a test environment states the event about a production transaction; such an event
    /// changes nothing (G9.3).
    func isOfTestsOnly(_ event: LogEvent) -> Bool {
        guard let transaction = event.fact.transaction,
            (event.environment ?? facts.logEnvironment) != .production
        else { return false }
        return facts[transaction].isStatedInProduction
    }

    /// The names in the scope, in the form that findings use in `key`.
    var keys: Set<ExactName> {
        var keys = Set(transactions.map { facts.names.text(of: $0).exact })
        keys.formUnion(payments.map { facts.names.text(of: $0).exact })
        keys.formUnion(originals.map { facts.names.text(of: $0).exact })
        return keys
    }
}
