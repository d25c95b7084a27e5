import PurchaseEvents
import PurchaseImport
import PurchaseProjections

/// Turns what StoreKit 2 reports into events.
extension TransactionRecorder {
    enum Source {
        /// A call of `Product.purchase`.
        case purchase(NotedPayment)
        /// `Transaction.unfinished`.
        case unfinished
        /// `Transaction.updates`.
        case update
        /// `Transaction.currentEntitlements`.
        case entitlement
        /// `Transaction.all`.
        case history
    }

    /// Records a transaction of `Transaction.updates`: a renewal, an approval, a refund, or a
    /// purchase on another device (G4.1).
    public func received(update transaction: any ObservedSignedTransaction) async {
        await receive([transaction], .update)
    }

    /// Records the transactions of `Transaction.currentEntitlements`, and delivers the purchases
    /// that the app never delivered.
    public func received(entitlements: [any ObservedSignedTransaction]) async {
        await receive(entitlements, .entitlement)
    }

    /// Records what the transactions of `Transaction.all` state that the log doesn't know: refunds
    /// and revocations made while the app wasn't running, which StoreKit states nowhere else.
    ///
    /// Cost: linear in the number of transactions; a transaction that states nothing new adds
    /// nothing.
    public func received(history: [any ObservedSignedTransaction]) async {
        await receive(history, .history)
    }

    /// Records the transaction of a redeemed offer code; no call of `Product.purchase` bought it.
    public func received(redemption transaction: any ObservedSignedTransaction) async {
        await receive([transaction], .unfinished)
    }

    private func receive(_ transactions: [any ObservedSignedTransaction], _ source: Source) async {
        await take(transactions, source)
        await workOnDueTasks()
    }

    /// Records transactions; one that the log can't take stops no other.
    func take(_ transactions: [any ObservedSignedTransaction], _ source: Source) async {
        for transaction in transactions {
            await reporting { () throws(RecorderProblem) in
                try recordLaunch()
                try await take(transaction, source)
            }
        }
    }

    /// Records a subscription's status, from `Product.SubscriptionInfo.status` or `.updates`.
    public func received(status: any ObservedStatus) async {
        let (transaction, distrust) = (status.observedTransaction, status.observedRenewalDistrust)
        for reason in [transaction.observedDistrust, distrust].compactMap(\.self) {
            await handler?.receive(.unverified("a subscription's status", reason: reason.rawValue))
        }
        let statements = StoreStatements(
            statusOf: transaction.observedDistrust == nil
                ? Array(transaction.observedStatement.utf8) : nil,
            renewalInfo: distrust == nil ? Array(status.observedRenewalInfo.utf8) : nil,
            state: status.observedState)
        await reporting { () throws(RecorderProblem) in try await record(statements) }
        await workOnDueTasks()
    }

    /// Records a transaction's statement, and a `queue.purchased` if the transaction is presented.
    func take(
        _ transaction: any ObservedSignedTransaction, _ source: Source
    ) async throws(RecorderProblem) {
        if let reason = transaction.observedDistrust {
            await handler?.receive(.unverified("a transaction", reason: reason.rawValue))
            if case .purchase(let payment) = source { try await fail(payment, reason.rawValue) }
            return
        }
        let statements = StoreStatements(reading: Array(transaction.observedStatement.utf8))
        if case .history = source, isKnown(statements) { return }
        try await record(statements)
        guard let listed = statements.listed else { return }
        let name = listed.transaction.name
        let phase = ledger.phase(of: listed.transaction)
        let isPresented =
            switch source {
            case .purchase, .unfinished: true
            case .update: listed.cancelledAt == nil && listed.upgraded != true && !phase.wasFinished
            case .entitlement, .history: false
            }
        if case .entitlement = source { entitlementTransactions.insert(name) }
        guard isPresented else { return }
        var payment: NotedPayment?
        if case .purchase(let call) = source { payment = call }
        if let known = presented[name] {
            if let payment { try replace(known.payment, by: payment) }
            return
        }
        let account = statements.events.first?.account?.name
        let noted = try key(for: listed, account: account, payment)
        let buyer = account ?? (noted ?? payment)?.session.account?.name
        try book.record(.queuePurchased(listed.purchased(noted)), settings.session(buyer))
        presented[name] = (transaction, listed, noted?.key.name, buyer)
    }

    /// Whether the log knows all that a statement of the history says.
    private func isKnown(_ statements: StoreStatements) -> Bool {
        guard let listed = statements.listed else { return false }
        guard let known = ledger.transaction(listed.transaction), known.isPaid,
            reversal(in: statements) == nil
        else { return false }
        let isCancelled = listed.cancelledAt != nil && listed.upgraded != true
        return known.expiresAt == listed.expiresAt && (known.isRefunded || !isCancelled)
            && (known.isUpgraded || listed.upgraded != true)
    }

    /// Finds the noted payment of a transaction, and adds the transaction to the note.
    ///
    /// A payment whose call is open comes last, because the call will say which transaction is its
    /// own. It does come: `Transaction.updates` and `.unfinished` may give the transaction before
    /// the call returns. If it took the key of another call, that call's own transaction has none.
    ///
    /// - Parameter payment: The payment of the call that returned the transaction, if one did.
    private func key(
        for listed: ReceiptListed<Written>, account: String?, _ payment: NotedPayment?
    ) throws(RecorderProblem) -> NotedPayment? {
        let fitting = book.notes.payments.filter { noted in
            guard noted.transaction == nil else { return false }
            if let payment { return noted.key == payment.key }
            return noted.request.product == listed.product
                && noted.request.quantity ?? 1 == listed.quantity ?? 1
                && (account ?? noted.session.account?.name) == noted.session.account?.name
                && ledger.phase(of: noted.key) != .failed
        }
        let noted =
            book.notes.payments.first { $0.transaction == listed.transaction }
            ?? fitting.first { calls[$0.key.name] == nil } ?? fitting.first
        guard let noted, let place = book.notes.payments.firstIndex(where: { $0.key == noted.key })
        else { return nil }
        if book.notes.payments[place].transaction == nil {
            book.notes.payments[place].transaction = listed.transaction
            try book.saveNotes()
        }
        return noted
    }

    /// Settles a payment whose transaction was presented before the call returned, with the key of
    /// another payment or with none: the two payments are alike, so this one stands in for the
    /// other.
    private func replace(_ other: String?, by call: NotedPayment) throws(RecorderProblem) {
        guard isOpen(call) else { return }
        if let other {
            if calls[other] == nil {
                try book.record(.queueDeferred(payment: call.key), call.session)
            } else {
                calls[other] = call
            }
        } else {
            book.notes.payments.removeAll { $0.key == call.key }
            try book.saveNotes()
        }
    }

    // MARK: Restoring

    /// Records that the user requested a restore.
    ///
    /// Call this method before `AppStore.sync` (G8.1).
    public func beginRestore(account: String? = nil) throws(RecorderProblem) {
        try recordLaunch()
        try book.beginRestore(settings.session(account))
    }

    /// Records how `AppStore.sync` ended.
    ///
    /// Call this method after recording the entitlements.
    public func endRestore(_ error: SignedStoreError?) async {
        let end: Fact<Written> =
            error.map { .restoreFailed(.init(error: ErrorWord($0.word))) } ?? .restoreCompleted
        await reporting { () throws(RecorderProblem) in try book.endRestore(end) }
    }
}

extension StoreStatements {
    /// Imports the statements of a verified transaction; `nil` if the transaction isn't verified.
    init?(_ transaction: any ObservedSignedTransaction) {
        guard transaction.observedDistrust == nil else { return nil }
        self.init(reading: Array(transaction.observedStatement.utf8))
    }

    /// The statement about the transaction itself; `nil` if there is none.
    var listed: ReceiptListed<Written>? {
        for event in events {
            if case .receiptListed(let listed) = event.fact { return listed }
        }
        return nil
    }
}

extension ReceiptListed<Written> {
    /// The `queue.purchased` fact of the stated transaction.
    fileprivate func purchased(_ payment: NotedPayment?) -> QueuePurchased<Written> {
        QueuePurchased(
            transaction: transaction, payment: payment?.key,
            original: original == transaction ? nil : original, product: product,
            quantity: quantity == 1 ? nil : quantity, purchasedAt: purchasedAt,
            originalPurchasedAt: original == transaction ? nil : originalPurchasedAt,
            expiresAt: expiresAt, price: price, currency: currency, ownership: ownership,
            offer: offer, terms: terms)
    }
}
