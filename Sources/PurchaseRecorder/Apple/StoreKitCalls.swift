#if canImport(StoreKit)
    import PurchaseEvents
    import StoreKit

    /// The calls that an app makes with StoreKit 2.
    extension TransactionRecorder {
        /// Records the launch, and processes the unfinished transactions.
        public func launch() async throws {
            try recordLaunch()
            var unfinished: [any ObservedSignedTransaction] = []
            for await transaction in Transaction.unfinished { unfinished.append(transaction) }
            try await launch(unfinished: unfinished)
        }

        /// Processes `Transaction.updates` until the task is cancelled.
        ///
        /// Start listening before ``launch()``.
        public func listen() async {
            for await transaction in Transaction.updates { await received(update: transaction) }
        }

        /// Processes `Product.SubscriptionInfo.Status.updates` until the task is cancelled.
        public func listenToStatuses() async {
            for await status in Product.SubscriptionInfo.Status.updates {
                await received(status: status)
            }
        }

        /// Records the statuses of a product's subscription group.
        public func recordStatuses(of product: Product) async throws {
            for status in try await product.subscription?.status ?? [] {
                await received(status: status)
            }
        }

        /// Records the transactions that the user is currently entitled to.
        public func recordEntitlements() async {
            var entitlements: [any ObservedSignedTransaction] = []
            for await transaction in Transaction.currentEntitlements {
                entitlements.append(transaction)
            }
            await received(entitlements: entitlements)
        }

        /// Records what the whole history states that the log doesn't know.
        ///
        /// Call this method once after ``launch()``: a refund made while the app wasn't running is
        /// in `Transaction.all` alone.
        public func recordHistory() async {
            var history: [any ObservedSignedTransaction] = []
            for await transaction in Transaction.all { history.append(transaction) }
            await received(history: history)
        }

        /// Requests products, records the answer, and returns the products.
        public func products(for names: [String]) async throws -> [Product] {
            let products = try await Product.products(for: names)
            await received(products, askedFor: names)
            return products
        }

        /// Buys with a call of `Product.purchase`, in the form that the platform offers.
        ///
        /// Throws ``RecorderProblem`` before the call if the payment may not be made; also throws
        /// the errors of the call.
        @discardableResult
        public func buy(
            _ order: PaymentOrder, _ purchase: () async throws -> Product.PurchaseResult
        ) async throws -> Product.PurchaseResult {
            let payment = try begin(order)
            let result: Product.PurchaseResult
            do {
                result = try await purchase()
            } catch {
                await end(payment, .failed(SignedStoreError(error)))
                throw error
            }
            switch result {
            case .success(let transaction): await end(payment, .success(transaction))
            case .userCancelled: await end(payment, .userCancelled)
            case .pending: await end(payment, .pending)
            @unknown default: await end(payment, .failed(.unknown))
            }
            return result
        }

        #if !os(visionOS)
            /// Buys a product for an account.
            @discardableResult
            public func buy(
                _ product: Product, quantity: Int = 1, account: UUID? = nil
            ) async throws -> Product.PurchaseResult {
                var options: Set<Product.PurchaseOption> = []
                if let account { options.insert(.appAccountToken(account)) }
                if quantity != 1 { options.insert(.quantity(quantity)) }
                let order = PaymentOrder(
                    product: product.id, quantity: quantity,
                    account: account?.uuidString.lowercased())
                return try await buy(order) { try await product.purchase(options: options) }
            }
        #endif

        #if !os(visionOS) && !os(watchOS) && !os(tvOS)
            /// Buys what the user chooses in the App Store, until the task is cancelled.
            ///
            /// - Parameter account: Returns the account that buys.
            public func listenToIntents(account: @Sendable () async -> UUID?) async {
                for await intent in PurchaseIntent.intents {
                    do {
                        _ = try await buy(intent.product, account: await account())
                    } catch let problem as RecorderProblem {
                        await handler?.receive(problem)
                    } catch {
                        // The call's own error is recorded as the failure of the payment.
                    }
                }
            }
        #endif

        /// Restores purchases at the user's request (G8.1).
        public func restore(account: UUID? = nil) async throws {
            try beginRestore(account: account?.uuidString.lowercased())
            do {
                try await AppStore.sync()
            } catch {
                await endRestore(SignedStoreError(error))
                throw error
            }
            await recordEntitlements()
            await endRestore(nil)
        }
    }
#endif
