#if canImport(StoreKit)
    import PurchaseEvents
    import StoreKit

    // The objects of StoreKit 1, as the recorder observes them.

    extension SKPayment: ObservedPayment {
        /// The identifier of the product.
        public var observedProduct: String { productIdentifier }
        /// The quantity.
        public var observedQuantity: Int { quantity }
        /// The account that the payment carries.
        public var observedAccount: String? { applicationUsername }
        /// `.promotional` if the payment carries a discount; otherwise `nil`.
        public var observedOffer: Offer? { paymentDiscount == nil ? nil : .promotional }
    }

    extension SKPaymentTransaction: ObservedTransaction {
        /// The state.
        public var observedState: ObservedTransactionState? {
            ObservedTransactionState(rawValue: transactionState.rawValue)
        }
        /// The payment.
        public var observedPayment: any ObservedPayment { payment }
        /// The App Store's identifier, once the transaction is purchased or restored.
        public var observedIdentifier: String? { transactionIdentifier }
        /// The date of the purchase or restore, once there is one.
        public var observedDate: Timestamp? { transactionDate.flatMap { Timestamp($0) } }
        /// The transaction that this transaction restores or renews.
        public var observedOriginal: (any ObservedTransaction)? { original }
        /// The reason why the payment failed.
        public var observedFailure: StoreFailure? { error.map { StoreFailure($0) } }
        /// The downloads of hosted content.
        public var observedDownloads: [any ObservedDownload] {
            #if os(visionOS) || os(watchOS)
                []
            #else
                downloads
            #endif
        }
    }

    #if !os(visionOS) && !os(watchOS)
        extension SKDownload: ObservedDownload {
            /// The identifier of the content.
            public var observedContent: String { contentIdentifier }
            /// The state.
            public var observedDownloadState: DownloadState? {
                let index = state.rawValue
                let states = DownloadState.allCases
                return states.indices.contains(index) ? states[index] : nil
            }
            /// The number of bytes downloaded so far, computed from the progress.
            public var observedBytes: Int64? {
                Int64(exactly: (Double(progress) * Double(expectedContentLength)).rounded())
            }
            /// The size of the download in bytes.
            public var observedTotal: Int64? { max(0, expectedContentLength) }
            /// The reason why the download failed.
            public var observedDownloadFailure: StoreFailure? { error.map { StoreFailure($0) } }
            /// The transaction that the download belongs to.
            public var observedTransaction: any ObservedTransaction { transaction }
        }
    #endif

    extension SKProduct: ObservedProduct {
        /// The identifier.
        public var observedProduct: String { productIdentifier }
        /// The price in thousandths of the currency's unit.
        public var observedPrice: Int64? { price.decimalValue.thousandths }
        /// The currency code.
        public var observedCurrency: String? { priceLocale.currency?.identifier }
        /// The subscription group.
        public var observedGroup: String? { subscriptionGroupIdentifier }
        /// The length of a subscription period.
        public var observedPeriod: String? {
            subscriptionPeriod.flatMap { period in
                ObservedPeriodUnit(rawValue: Int(period.unit.rawValue))?
                    .duration(period.numberOfUnits)
            }
        }
        /// Whether Apple hosts content for the product.
        public var observedIsHosted: Bool {
            #if os(visionOS) || os(watchOS)
                false
            #else
                isDownloadable
            #endif
        }
        /// Whether the product can be shared with the family.
        public var observedIsShareable: Bool? { isFamilyShareable }
    }

    extension StoreFailure {
        /// Creates a failure from a StoreKit error and its underlying errors, up to eight levels.
        init(_ error: any Error) {
            let outer = error as NSError
            var causes: [Cause] = []
            var next = outer.userInfo[NSUnderlyingErrorKey] as? NSError
            while let inner = next, causes.count < 8 {
                causes.append(Cause(domain: inner.domain, code: inner.code))
                next = inner.userInfo[NSUnderlyingErrorKey] as? NSError
            }
            self.init(domain: outer.domain, code: outer.code, causes: causes)
        }
    }

    extension Timestamp {
        /// Creates a time, rounded to milliseconds; `nil` if a log can't hold the date.
        init?(_ date: Date) {
            let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
            guard let exact = Int64(exactly: milliseconds) else { return nil }
            self.init(milliseconds: exact)
            guard isWritable else { return nil }
        }
    }

    extension Decimal {
        /// The amount in thousandths; `nil` if it isn't a whole number of thousandths.
        var thousandths: Int64? {
            let exact = self * 1_000
            let number = NSDecimalNumber(decimal: exact).int64Value
            return Decimal(number) == exact ? number : nil
        }
    }
#endif
