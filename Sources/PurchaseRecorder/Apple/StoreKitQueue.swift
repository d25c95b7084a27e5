#if canImport(StoreKit)
    import PurchaseEvents
    import StoreKit

    /// StoreKit 1's payment queue, connected to a recorder.
    ///
    /// Create the queue on the main thread, pass it to the recorder, and launch the recorder at
    /// once. StoreKit calls observers on the main thread; answers to requests arrive on other
    /// threads, and the queue moves them to the main thread.
    public final class StoreKitQueue: NSObject, ObservedQueue, @unchecked Sendable {
        private let queue: SKPaymentQueue
        /// The recorder that receives the queue's callbacks.
        public weak var recorder: PaymentQueueRecorder?
        /// The products listed since the launch; a payment needs its product.
        private var products: [String: SKProduct] = [:]
        /// The requests in progress, which only this array keeps alive.
        private var requests: [(request: SKRequest, what: StoreRequest)] = []

        /// Creates a queue over the device's payment queue.
        public init(_ queue: SKPaymentQueue = .default()) { self.queue = queue }

        // MARK: ObservedQueue

        /// Whether the user may make payments.
        public var mayPay: Bool { SKPaymentQueue.canMakePayments() }
        /// The entries that the queue holds.
        public var observedTransactions: [any ObservedTransaction] { queue.transactions }
        /// Registers the observer.
        public func beginObserving() { queue.add(self) }
        /// Removes the observer.
        public func endObserving() { queue.remove(self) }

        /// Requests products from the store.
        public func requestProducts(_ products: [String]) {
            start(SKProductsRequest(productIdentifiers: Set(products)), .products(products))
        }

        /// Whether the product was listed since the launch, so that a payment can be added.
        public func mayAdd(_ product: String) -> Bool { products[product] != nil }

        /// Adds a payment for a product that was listed; does nothing for other products.
        public func add(_ order: PaymentOrder) {
            guard let product = products[order.product] else { return }
            let payment = SKMutablePayment(product: product)
            payment.quantity = order.quantity
            payment.applicationUsername = order.account
            queue.add(payment)
        }

        /// Finishes a transaction.
        public func finish(_ transaction: any ObservedTransaction) {
            guard let transaction = transaction as? SKPaymentTransaction else { return }
            queue.finishTransaction(transaction)
        }

        /// Restores completed transactions.
        public func restore(account: String?) {
            queue.restoreCompletedTransactions(withApplicationUsername: account)
        }

        /// Refreshes the receipt.
        public func refreshReceipt() {
            start(SKReceiptRefreshRequest(receiptProperties: nil), .receipt)
        }

        /// Starts, pauses, resumes or cancels downloads.
        public func control(_ downloads: [any ObservedDownload], _ control: DownloadControl) {
            #if !os(visionOS) && !os(watchOS)
                let downloads = downloads.compactMap { $0 as? SKDownload }
                switch control {
                case .start: queue.start(downloads)
                case .pause: queue.pause(downloads)
                case .resume: queue.resume(downloads)
                case .cancel: queue.cancel(downloads)
                }
            #endif
        }

        private func start(_ request: SKRequest, _ what: StoreRequest) {
            request.delegate = self
            requests.append((request, what))
            request.start()
        }

        /// Ends a request; returns what it asked for, or `nil` if it isn't one of this queue.
        private func end(_ request: SKRequest) -> StoreRequest? {
            guard let place = requests.firstIndex(where: { $0.request === request }) else {
                return nil
            }
            return requests.remove(at: place).what
        }

        private func onMain(_ body: @escaping @Sendable (StoreKitQueue) -> Void) {
            DispatchQueue.main.async { body(self) }
        }
    }

    extension StoreKitQueue: SKPaymentTransactionObserver {
        /// Passes new and changed transactions to the recorder.
        public func paymentQueue(
            _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
        ) {
            recorder?.updated(transactions)
        }

        /// Tells the recorder that entries left the queue.
        public func paymentQueue(
            _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
        ) {
            recorder?.removed(transactions)
        }

        /// Tells the recorder that a restore failed.
        public func paymentQueue(
            _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
        ) {
            recorder?.restoreFailed(StoreFailure(error))
        }

        /// Tells the recorder that a restore succeeded.
        public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
            recorder?.restoreCompleted()
        }

        #if !os(visionOS) && !os(watchOS)
            /// Tells the recorder that downloads changed.
            public func paymentQueue(
                _ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]
            ) {
                recorder?.updated(downloads: downloads)
            }
        #endif

        #if !os(watchOS)
            /// Decides whether a payment that the user started in the App Store may go on.
            public func paymentQueue(
                _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment,
                for product: SKProduct
            ) -> Bool {
                products[product.productIdentifier] = product
                return recorder?.shouldAdd(
                    PaymentOrder(
                        product: payment.productIdentifier, quantity: payment.quantity,
                        account: payment.applicationUsername)) ?? false
            }
        #endif

        /// Tells the recorder that the store revoked entitlements.
        public func paymentQueue(
            _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers products: [String]
        ) {
            recorder?.revoked(products)
        }
    }

    extension StoreKitQueue: SKProductsRequestDelegate {
        /// Passes the answer to a products request to the recorder.
        public func productsRequest(
            _ request: SKProductsRequest, didReceive response: SKProductsResponse
        ) {
            nonisolated(unsafe) let response = response
            onMain { queue in
                for product in response.products {
                    queue.products[product.productIdentifier] = product
                }
                queue.recorder?.received(
                    response.products, invalid: response.invalidProductIdentifiers)
            }
        }

        /// Releases a request that succeeded; after a receipt refresh, passes the bytes of the
        /// receipt file to the recorder.
        public func requestDidFinish(_ request: SKRequest) {
            nonisolated(unsafe) let request = request
            onMain { queue in
                guard queue.end(request) == .receipt else { return }
                guard let file = Bundle.main.appStoreReceiptURL else {
                    queue.recorder?.requestFailed(.receipt, nil)
                    return
                }
                do {
                    queue.recorder?.refreshedReceipt(Array(try Data(contentsOf: file)))
                } catch {
                    queue.recorder?.requestFailed(.receipt, StoreFailure(error))
                }
            }
        }

        /// Releases a request that failed, and tells the recorder.
        public func request(_ request: SKRequest, didFailWithError error: any Error) {
            nonisolated(unsafe) let request = request
            let failure = StoreFailure(error)
            onMain { queue in
                guard let what = queue.end(request) else { return }
                queue.recorder?.requestFailed(what, failure)
            }
        }
    }
#endif
