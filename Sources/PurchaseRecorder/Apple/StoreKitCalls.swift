#if canImport(StoreKit)
    import PurchaseEvents
    import StoreKit

    /// What an app calls, with StoreKit 2 behind it.
    extension TransactionRecorder {
        /// Records the launch, and hears the unfinished transactions.
        public func launch() async throws {
            var unfinished: [any ObservedSignedTransaction] = []
            for await transaction in Transaction.unfinished { unfinished.append(transaction) }
            try await launch(unfinished: unfinished)
        }

        /// Hears `Transaction.updates` for as long as the task runs: start it before ``launch()``.
        public func listen() async {
            for await transaction in Transaction.updates { await heard(update: transaction) }
        }

        /// Hears `Product.SubscriptionInfo.Status.updates` for as long as the task runs.
        public func listenToStatuses() async {
            for await status in Product.SubscriptionInfo.Status.updates {
                await heard(status: status)
            }
        }

        /// Hears the statuses of a product's subscription group.
        public func hearStatuses(of product: Product) async throws {
            for status in try await product.subscription?.status ?? [] {
                await heard(status: status)
            }
        }

        /// Hears what the user is entitled to now.
        public func hearEntitlements() async {
            var entitlements: [any ObservedSignedTransaction] = []
            for await transaction in Transaction.currentEntitlements {
                entitlements.append(transaction)
            }
            await heard(entitlements: entitlements)
        }

        /// Asks for products and records the answer.
        public func products(for names: [String]) async throws -> [Product] {
            let products = try await Product.products(for: names)
            await received(products, askedFor: names)
            return products
        }

        /// Buys through a call of `Product.purchase`, in whatever form the platform has it.
        ///
        /// Throws ``RecorderProblem`` before the call if the payment may not be made, and what the
        /// call throws.
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

        /// Restores purchases, because the user asked for it (G8.1).
        public func restore(account: UUID? = nil) async throws {
            try beginRestore(account: account?.uuidString.lowercased())
            do {
                try await AppStore.sync()
            } catch {
                await endRestore(SignedStoreError(error))
                throw error
            }
            await hearEntitlements()
            await endRestore(nil)
        }
    }
#endif
