import PurchaseEvents
import PurchaseProjections

/// How a transaction of the queue becomes an event.
extension PaymentQueueRecorder {
    /// Records what the queue shows of a transaction.
    func hear(_ transaction: any ObservedTransaction) throws(RecorderProblem) {
        let payment = transaction.observedPayment
        guard let state = transaction.observedState else {
            throw .notRecorded(
                "a transaction in an unknown state", product: payment.observedProduct)
        }
        guard shown[Identity(transaction)]?.state != state else { return }
        switch state {
        case .purchasing:
            let key = try hearPayment(transaction, state)
            try record(
                .queuePurchasing(payment: key), settings.session(account(of: transaction, key)))
            handler?.showWaiting(product: payment.observedProduct, isDeferred: false)
        case .deferred:
            let key = try hearPayment(transaction, state)
            try record(
                .queueDeferred(payment: key), settings.session(account(of: transaction, key)))
            handler?.showWaiting(product: payment.observedProduct, isDeferred: true)
        case .failed:
            let key = try hearPayment(transaction, state)
            let failure = transaction.observedFailure
            let word = failure?.word ?? KnownError.unknown.rawValue
            try record(
                .queueFailed(
                    QueueFailed(
                        payment: key, error: ErrorWord(word),
                        code: failure.map { Int64($0.code) })),
                settings.session(account(of: transaction, key)))
        case .purchased: try hearPurchase(transaction)
        case .restored: try hearRestore(transaction)
        }
        shown[Identity(transaction)]?.state = state
    }

    /// Finds or gives the key of a payment that has no transaction yet, and records its request.
    private func hearPayment(
        _ transaction: any ObservedTransaction, _ state: ObservedTransactionState
    ) throws(RecorderProblem) -> PaymentID<Written> {
        let noted: NotedPayment
        if let found = try find(transaction, state) {
            noted = found
        } else {
            noted = try note(transaction)
        }
        show(transaction, state, .payment(noted.key), noted.key)
        try recordRequest(of: noted)
        return noted.key
    }

    private func hearPurchase(
        _ transaction: any ObservedTransaction
    ) throws(RecorderProblem) {
        let payment = transaction.observedPayment
        guard let name = transaction.observedIdentifier, let date = transaction.observedDate else {
            throw .notRecorded(
                "a purchased transaction without an identifier or a date",
                product: payment.observedProduct)
        }
        let identifier = TransactionID<Written>(name)
        let noted = try find(transaction, .purchased)
        if let noted, noted.transaction == nil,
            let place = notes.payments.firstIndex(where: { $0.key == noted.key })
        {
            notes.payments[place].transaction = identifier
            try saveNotes()
        }
        if let noted { try recordRequest(of: noted) }
        let original = transaction.observedOriginal
        let session = settings.session(account(of: transaction, noted?.key))
        try record(
            .queuePurchased(
                QueuePurchased(
                    transaction: identifier, payment: noted?.key,
                    original: original?.observedIdentifier.map { TransactionID($0) },
                    product: ProductID(payment.observedProduct),
                    quantity: payment.observedQuantity == 1
                        ? nil : Int64(payment.observedQuantity),
                    purchasedAt: date, originalPurchasedAt: original?.observedDate,
                    price: noted?.request.price, currency: noted?.request.currency,
                    offer: payment.observedOffer)), session)
        show(transaction, .purchased, .transaction(identifier), noted?.key)
    }

    private func hearRestore(_ transaction: any ObservedTransaction) throws(RecorderProblem) {
        let payment = transaction.observedPayment
        guard let name = transaction.observedIdentifier, let date = transaction.observedDate,
            let original = transaction.observedOriginal,
            let originalName = original.observedIdentifier
        else {
            throw .notRecorded(
                "a restored transaction without an identifier, a date or an original",
                product: payment.observedProduct)
        }
        let session = settings.session(
            payment.observedAccount ?? notes.restore?.session.account?.name)
        try record(
            .queueRestored(
                QueueRestored(
                    transaction: TransactionID(name), original: TransactionID(originalName),
                    product: ProductID(payment.observedProduct),
                    quantity: payment.observedQuantity == 1
                        ? nil : Int64(payment.observedQuantity),
                    purchasedAt: date, originalPurchasedAt: original.observedDate)), session)
        show(transaction, .restored, .transaction(TransactionID(name)), nil)
    }

    private func show(
        _ transaction: any ObservedTransaction, _ state: ObservedTransactionState,
        _ entry: QueueEntry<Written>, _ payment: PaymentID<Written>?
    ) {
        let isHeard = state == .purchased || state == .restored
        let known = shown[Identity(transaction)]?.state
        shown[Identity(transaction)] = Shown(
            transaction: transaction, state: isHeard ? state : known ?? .purchasing, entry: entry,
            payment: payment, account: account(of: transaction, payment))
    }

    /// The account that a transaction belongs to: StoreKit may leave out what the payment carried.
    func account(
        of transaction: any ObservedTransaction, _ key: PaymentID<Written>?
    ) -> String? {
        transaction.observedPayment.observedAccount
            ?? notes.payments.first { $0.key == key }?.session.account?.name
    }

    // MARK: Keys

    /// The noted payment that a transaction is of, or `nil`.
    private func find(
        _ transaction: any ObservedTransaction, _ state: ObservedTransactionState
    ) throws(RecorderProblem) -> NotedPayment? {
        if let known = shown[Identity(transaction)] {
            return notes.payments.first { $0.key == known.payment }
        }
        if let name = transaction.observedIdentifier,
            let noted = notes.payments.first(where: { $0.transaction?.name == name })
        {
            return noted
        }
        let taken = Set(shown.values.compactMap(\.payment))
        let candidates = notes.payments.filter { payment in
            payment.transaction == nil && !taken.contains(payment.key)
                && payment.buys(transaction.observedPayment)
        }
        for phase in state.phasesBefore {
            if let found = candidates.first(where: { ledger.phase(of: $0.key) == phase }) {
                return found
            }
        }
        return nil
    }

    /// Gives a key to a payment that the app didn't request.
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
        notes.payments.append(noted)
        try saveNotes()
        return noted
    }

    // MARK: Finishes that a crash cut off

    /// Settles, when the queue first speaks after a launch, the finishes that the log doesn't have:
    /// an entry that the queue still holds wasn't finished, any other was.
    func settleFinishes() throws(RecorderProblem) {
        guard !hasSpoken else { return }
        hasSpoken = true
        guard !notes.finishing.isEmpty else { return }
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
        for entry in notes.finishing where !held.contains(entry) {
            do throws(RecorderProblem) {
                try perform(.finish(entry))
            } catch .ledger(.refused(_)) {
                // The log has it: the crash came after the record.
            } catch {
                throw error
            }
            dropPayment(of: entry)
        }
        notes.finishing = []
        try saveNotes()
    }

    /// Drops the key of a payment whose entry is finished.
    func dropPayment(of entry: QueueEntry<Written>) {
        notes.payments.removeAll {
            $0.key == entry.payment || $0.transaction != nil && $0.transaction == entry.transaction
        }
    }
}

extension ObservedTransactionState {
    /// The phases of a payment that may come to this state, the likeliest first.
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
