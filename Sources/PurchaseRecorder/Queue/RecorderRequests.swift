import PurchaseEvents
import PurchaseProjections

/// The app's requests to the store.
extension PaymentQueueRecorder {
    // MARK: Products

    /// Requests products (G2.2).
    ///
    /// Each `catalog.requested` is recorded together with its answer, so a request that fails or is
    /// interrupted by a crash leaves no unanswered event.
    public func requestProducts(_ products: [String]) {
        askedFor += products
        queue.requestProducts(products)
    }

    /// Records the answer to a request: `productsRequest(_:didReceive:)`.
    ///
    /// A product isn't recorded if neither the settings nor a subscription group state its kind.
    public func received(_ valid: [any ObservedProduct], invalid: [String]) {
        var drafts: [Draft] = []
        for product in valid {
            let name = product.observedProduct
            if let money = product.money { book.prices[name] = money }
            guard let listed = product.listing(settings.kinds) else {
                handler?.receive(.unknownKind(of: name))
                continue
            }
            drafts += answer(to: name, .catalogListed(listed))
        }
        for name in invalid { drafts += answer(to: name, .catalogInvalid(product: .init(name))) }
        reporting { () throws(RecorderProblem) in
            if !drafts.isEmpty { try book.record(drafts) }
        }
        handler?.showStore(valid: valid, invalid: invalid)
    }

    private func answer(to product: String, _ fact: Fact<Written>) -> [Draft] {
        var facts = [fact]
        if endRequest(for: product) {
            facts.insert(.catalogRequested(product: ProductID(product)), at: 0)
        }
        return facts.map { settings.draft($0) }
    }

    /// Ends one request for a product; returns whether there was one.
    private func endRequest(for product: String) -> Bool {
        guard let place = askedFor.firstIndex(of: product) else { return false }
        askedFor.remove(at: place)
        return true
    }

    /// Tells the app that a request failed, and records nothing: `request(_:didFailWithError:)`.
    public func requestFailed(_ request: StoreRequest, _ failure: StoreFailure?) {
        if case .products(let products) = request {
            for product in products { _ = endRequest(for: product) }
        }
        handler?.receive(.requestFailed(request, failure))
    }

    // MARK: Payments

    /// Adds a payment to the queue and returns the payment's key (G3.1).
    ///
    /// The key is on the disk before the queue learns of the payment, and the request is recorded
    /// afterwards. Each call makes a new payment: two calls charge twice (G3.2). Throws
    /// ``RecorderProblem``, without adding anything, if the ledger refuses the payment or the key
    /// can't be saved.
    @discardableResult
    public func buy(_ order: PaymentOrder) throws(RecorderProblem) -> String {
        guard queue.mayAdd(order.product) else { throw .notListed(order.product) }
        try recordRestriction()
        let payment = book.payment(for: order)
        try book.check(.request(payment.request), payment.session)
        book.notes.payments.append(payment)
        do throws(RecorderProblem) {
            try book.saveNotes()
        } catch {
            book.notes.payments.removeAll { $0.key == payment.key }
            throw error
        }
        queue.add(order)
        // The payment is in the queue now. If recording fails here, its first answer records the
        // request.
        reporting { () throws(RecorderProblem) in try recordRequest(of: payment) }
        return payment.key.name
    }

    /// Records the request of a payment, unless the log has it already.
    func recordRequest(of payment: NotedPayment) throws(RecorderProblem) {
        guard !payment.isPromoted, !recordedRequests.contains(payment.key) else { return }
        // Payments may have become restricted after the payment was added.
        try book.perform(
            .request(payment.request), id: payment.id, payment.session, ignoring: Refusal.allCases)
        recordedRequests.insert(payment.key)
    }

    /// Whether an unfinished payment of an account for a product may be in the queue.
    public func isWaiting(for product: String, account: String?) -> Bool {
        book.notes.payments.contains {
            $0.request.product.name == product && $0.session.account?.name == account
        }
    }

    /// Decides whether a payment that the user started in the App Store may go on:
    /// `paymentQueue(_:shouldAddStorePayment:for:)`.
    public func shouldAdd(_ order: PaymentOrder) -> Bool { handler?.mayPayNow(order) ?? false }

    // MARK: Restoring

    /// Restores the purchases of an account at the user's request (G8.1, G8.3).
    ///
    /// Throws ``RecorderProblem``, without asking the store, if the request can't be recorded.
    public func restore(account: String? = nil) throws(RecorderProblem) {
        try book.beginRestore(settings.session(account))
        queue.restore(account: account)
    }

    func endRestore(_ end: Fact<Written>) throws(RecorderProblem) {
        guard book.notes.restore != nil else { return try book.record(end) }
        try book.endRestore(end)
    }

    /// Refreshes the receipt (G8.2).
    public func refreshReceipt() { queue.refreshReceipt() }

    // MARK: Downloads

    /// Starts, pauses, resumes or cancels downloads at the user's request (G4.16).
    public func control(_ downloads: [any ObservedDownload], _ control: DownloadControl) {
        queue.control(downloads, control)
    }
}
