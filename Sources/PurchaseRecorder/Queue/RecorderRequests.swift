import PurchaseEvents
import PurchaseProjections

/// The requests of the app to the store.
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
            if let money = product.money { prices[name] = money }
            guard let listed = product.listing(settings.kinds) else {
                handler?.receive(.notRecorded("a product of unknown kind", product: name))
                continue
            }
            drafts += answer(to: name, .catalogListed(listed))
        }
        for name in invalid { drafts += answer(to: name, .catalogInvalid(product: .init(name))) }
        reporting { () throws(RecorderProblem) in
            do throws(LedgerError) {
                if !drafts.isEmpty { try ledger.record(drafts) }
            } catch {
                throw .ledger(error)
            }
        }
        handler?.showStore(valid: valid, invalid: invalid)
    }

    private func answer(to product: String, _ fact: Fact<Written>) -> [Draft] {
        var facts = [fact]
        if let place = askedFor.firstIndex(of: product) {
            askedFor.remove(at: place)
            facts.insert(.catalogRequested(product: ProductID(product)), at: 0)
        }
        return facts.map { fact in
            Draft(
                at: settings.now(), device: settings.device, environment: settings.environment,
                fact)
        }
    }

    /// Tells the app that a request failed: `request(_:didFailWithError:)`. Records nothing.
    public func requestFailed(_ what: String, _ failure: StoreFailure?) {
        askedFor = []
        handler?.receive(.requestFailed(what, failure))
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
        let price = prices[order.product]?.times(order.quantity)
        let request = PaymentRequested<Written>(
            payment: PaymentID(settings.newKey()), product: ProductID(order.product),
            quantity: order.quantity == 1 ? nil : Int64(order.quantity),
            payer: order.payer.map { PayerID($0) }, price: price?.thousandths,
            currency: price?.currency)
        let session = settings.session(order.account)
        let refusals = ledger.refusals(of: .request(request), by: session, now: settings.now())
        if let refusal = refusals.first { throw .ledger(.refused(refusal)) }
        let payment = NotedPayment(
            request: request, session: session, isPromoted: false, at: settings.now())
        notes.payments.append(payment)
        do throws(RecorderProblem) {
            try saveNotes()
        } catch {
            notes.payments.removeAll { $0.key == payment.key }
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
        do throws(RecorderProblem) {
            try perform(.request(payment.request), id: payment.id, payment.session)
        } catch .ledger(.refused(_)) {
            // Payments became restricted after the payment was added.
        } catch {
            throw error
        }
        recordedRequests.insert(payment.key)
    }

    /// Whether an unfinished payment of an account for a product may be in the queue.
    public func isWaiting(for product: String, account: String?) -> Bool {
        notes.payments.contains {
            $0.request.product.name == product && $0.session.account?.name == account
        }
    }

    /// Decides whether a payment that the user started in the App Store goes on:
    /// `paymentQueue(_:shouldAddStorePayment:for:)`.
    public func shouldAdd(_ order: PaymentOrder) -> Bool { handler?.mayPayNow(order) ?? false }

    // MARK: Restoring

    /// Restores the purchases of an account at the user's request (G8.1, G8.3).
    ///
    /// Throws ``RecorderProblem``, without asking the store, if the request can't be recorded.
    public func restore(account: String? = nil) throws(RecorderProblem) {
        let session = settings.session(account)
        if notes.restore != nil {
            // End the earlier restore here, because the queue wouldn't tell the two ends apart.
            try endRestore(.restoreFailed(RestoreFailed(error: "restarted")))
        }
        let name = "restore:\(settings.newKey())"
        notes.restore = (name, session)
        try saveNotes()
        try perform(.restore(by: .user), id: name, session)
        queue.restore(account: account)
    }

    /// Records the end of a restore.
    func endRestore(_ end: Fact<Written>) throws(RecorderProblem) {
        guard let restore = notes.restore else { return try record(end) }
        do throws(RecorderProblem) {
            try record(end, id: "\(restore.name):end", restore.session)
        } catch .ledger(.log(.idConflict)) {
            // The crash came after the end was recorded and before the note was removed.
        } catch {
            throw error
        }
        notes.restore = nil
        try saveNotes()
    }

    /// Refreshes the receipt (G8.2).
    public func refreshReceipt() { queue.refreshReceipt() }

    // MARK: Downloads

    /// Starts, pauses, resumes or cancels downloads at the user's request (G4.16).
    public func control(_ downloads: [any ObservedDownload], _ control: DownloadControl) {
        queue.control(downloads, control)
    }
}
