import PurchaseEvents
import PurchaseProjections

/// Turns the transactions of the queue into events.
extension PaymentQueueRecorder {
    /// A transaction that the queue presents, and its event.
    struct PresentedEvent {
        var entry: PresentedEntry
        var draft: Draft
        /// Whether the app should show that the payment is in progress or waits for approval.
        var isWaiting = false
    }

    /// Records a presentation by the queue with one write, so that a crash can't record only some
    /// of its entries.
    func recordPresented(_ transactions: [any ObservedTransaction]) {
        var events: [PresentedEvent] = []
        for transaction in transactions {
            reporting { () throws(RecorderProblem) in
                guard let one = try read(transaction) else { return }
                events.append(one)
                // The next transaction with equal content belongs to another payment.
                keep(one, as: nil)
            }
        }
        do throws(RecorderProblem) {
            if !events.isEmpty { try book.record(events.map(\.draft)) }
            events.forEach { keep($0, as: $0.entry.state) }
        } catch {
            // A transaction that the log can't hold must not prevent recording the others.
            for one in events {
                reporting { () throws(RecorderProblem) in
                    try book.record([one.draft])
                    keep(one, as: one.entry.state)
                }
            }
        }
        for one in events where one.isWaiting {
            handler?.showWaiting(
                product: one.entry.transaction.observedPayment.observedProduct,
                isDeferred: one.entry.state == .deferred)
        }
    }

    /// Remembers a presented transaction and the state last recorded.
    private func keep(_ event: PresentedEvent, as state: ObservedTransactionState?) {
        let name = Identity(event.entry.transaction)
        var new = event.entry
        new.recordedState = state ?? presented[name]?.recordedState
        presented[name] = new
    }

    /// The event for a transaction's state in the queue; `nil` if that state was already recorded.
    private func read(
        _ transaction: any ObservedTransaction
    ) throws(RecorderProblem) -> PresentedEvent? {
        let payment = transaction.observedPayment
        guard let state = transaction.observedState else {
            throw .notRecorded(
                "a transaction in an unknown state", product: payment.observedProduct)
        }
        guard presented[Identity(transaction)]?.recordedState != state else { return nil }
        switch state {
        case .purchasing:
            return try readPayment(transaction, state) { .queuePurchasing(payment: $0) }
        case .deferred: return try readPayment(transaction, state) { .queueDeferred(payment: $0) }
        case .failed:
            let failure = transaction.observedFailure
            let word = failure?.word ?? KnownError.unknown.rawValue
            return try readPayment(transaction, state) { key in
                .queueFailed(
                    .init(
                        payment: key, error: ErrorWord(word), code: failure.map { Int64($0.code) }))
            }
        case .purchased: return try readPurchase(transaction)
        case .restored: return try readRestore(transaction)
        }
    }

    private func presentedEvent(
        _ transaction: any ObservedTransaction, _ state: ObservedTransactionState,
        _ entry: QueueEntry<Written>, payment: PaymentID<Written>?, account: String?,
        _ fact: Fact<Written>
    ) -> PresentedEvent {
        PresentedEvent(
            entry: PresentedEntry(
                transaction: transaction, state: state, entry: entry, payment: payment,
                account: account),
            draft: settings.draft(fact, account: account),
            isWaiting: state == .purchasing || state == .deferred)
    }

    /// Finds or creates the key of a payment without a transaction, and records its request.
    private func readPayment(
        _ transaction: any ObservedTransaction, _ state: ObservedTransactionState,
        _ fact: (PaymentID<Written>) -> Fact<Written>
    ) throws(RecorderProblem) -> PresentedEvent {
        let found = try find(transaction, state)
        let noted = if let found { found } else { try note(transaction) }
        try recordRequest(of: noted)
        return presentedEvent(
            transaction, state, .payment(noted.key), payment: noted.key,
            account: account(of: transaction, noted.key), fact(noted.key))
    }

    private func readPurchase(
        _ transaction: any ObservedTransaction
    ) throws(RecorderProblem) -> PresentedEvent {
        let payment = transaction.observedPayment
        guard let name = transaction.observedIdentifier, let date = transaction.observedDate else {
            throw .notRecorded(
                "a purchased transaction without an identifier or a date",
                product: payment.observedProduct)
        }
        let identifier = TransactionID<Written>(name)
        let noted = try find(transaction, .purchased)
        if let noted, noted.transaction == nil,
            let place = book.notes.payments.firstIndex(where: { $0.key == noted.key })
        {
            book.notes.payments[place].transaction = identifier
            try book.saveNotes()
        }
        if let noted { try recordRequest(of: noted) }
        let original = transaction.observedOriginal
        return presentedEvent(
            transaction, .purchased, .transaction(identifier), payment: noted?.key,
            account: account(of: transaction, noted?.key),
            .queuePurchased(
                .init(
                    transaction: identifier, payment: noted?.key,
                    original: original?.observedIdentifier.map { TransactionID($0) },
                    product: ProductID(payment.observedProduct),
                    quantity: payment.observedQuantity == 1 ? nil : Int64(payment.observedQuantity),
                    purchasedAt: date, originalPurchasedAt: original?.observedDate,
                    price: noted?.request.price, currency: noted?.request.currency,
                    offer: payment.observedOffer)))
    }

    private func readRestore(
        _ transaction: any ObservedTransaction
    ) throws(RecorderProblem) -> PresentedEvent {
        let payment = transaction.observedPayment
        guard let name = transaction.observedIdentifier, let date = transaction.observedDate,
            let original = transaction.observedOriginal,
            let originalName = original.observedIdentifier
        else {
            throw .notRecorded(
                "a restored transaction without an identifier, a date or an original",
                product: payment.observedProduct)
        }
        return presentedEvent(
            transaction, .restored, .transaction(TransactionID(name)), payment: nil,
            account: payment.observedAccount ?? book.notes.restore?.session.account?.name,
            .queueRestored(
                .init(
                    transaction: TransactionID(name), original: TransactionID(originalName),
                    product: ProductID(payment.observedProduct),
                    quantity: payment.observedQuantity == 1 ? nil : Int64(payment.observedQuantity),
                    purchasedAt: date, originalPurchasedAt: original.observedDate)))
    }

    /// The account that a transaction belongs to; StoreKit may omit the account of the payment.
    func account(of transaction: any ObservedTransaction, _ key: PaymentID<Written>?) -> String? {
        transaction.observedPayment.observedAccount
            ?? book.notes.payments.first { $0.key == key }?.session.account?.name
    }

    // MARK: Keys

    /// The noted payment of a transaction, or `nil`.
    private func find(
        _ transaction: any ObservedTransaction, _ state: ObservedTransactionState
    ) throws(RecorderProblem) -> NotedPayment? {
        if let known = presented[Identity(transaction)] {
            return book.notes.payments.first { $0.key == known.payment }
        }
        if let name = transaction.observedIdentifier,
            let noted = book.notes.payments.first(where: { $0.transaction?.name == name })
        {
            return noted
        }
        let taken = Set(presented.values.compactMap(\.payment))
        let candidates = book.notes.payments.filter { payment in
            payment.transaction == nil && !taken.contains(payment.key)
                && payment.buys(transaction.observedPayment)
        }
        return state.phasesBefore.lazy.compactMap { [ledger] phase in
            candidates.first { ledger.phase(of: $0.key) == phase }
        }.first
    }

    /// Creates a key for a payment that the app didn't request.
    private func note(
        _ transaction: any ObservedTransaction
    ) throws(RecorderProblem) -> NotedPayment {
        let payment = transaction.observedPayment
        let noted = NotedPayment(
            request: PaymentRequested(
                payment: PaymentID(settings.newKey()), product: ProductID(payment.observedProduct),
                quantity: payment.observedQuantity == 1 ? nil : Int64(payment.observedQuantity)),
            session: settings.session(payment.observedAccount), isPromoted: true,
            at: settings.now())
        book.notes.payments.append(noted)
        try book.saveNotes()
        return noted
    }

    // MARK: Finishes interrupted by a crash

    /// Settles the finishes that the log lacks, at the queue's first presentation after a launch.
    ///
    /// An entry still in the queue wasn't finished; any other was.
    func settleFinishes() throws(RecorderProblem) {
        guard !hasPresented else { return }
        hasPresented = true
        guard !book.notes.finishing.isEmpty else { return }
        var held: Set<QueueEntry<Written>> = []
        for transaction in queue.observedTransactions {
            if let name = transaction.observedIdentifier {
                held.insert(.transaction(TransactionID(name)))
            } else if transaction.observedState == .failed,
                let noted = try find(transaction, .failed)
            {
                held.insert(.payment(noted.key))
            }
        }
        try book.settleFinishes(of: book.notes.finishing) { !held.contains($0) }
    }
}

extension ObservedTransactionState {
    /// The phases from which a payment can reach this state, the most likely first.
    fileprivate var phasesBefore: [PaymentPhase] {
        switch self {
        case .purchasing: [.requested, .unseen, .purchasing]
        case .deferred: [.deferred, .purchasing, .requested, .unseen]
        case .failed: [.failed, .purchasing, .deferred, .requested, .unseen]
        case .purchased: [.purchasing, .deferred, .requested, .unseen]
        case .restored: []
        }
    }
}
