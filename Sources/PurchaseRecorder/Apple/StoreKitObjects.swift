#if canImport(StoreKit)
    import PurchaseEvents
    import StoreKit

    // StoreKit 1's objects, as the recorder observes them.

    extension SKPayment: ObservedPayment {
        /// The identifier of the product.
        public var observedProduct: String { productIdentifier }
        /// The quantity.
        public var observedQuantity: Int { quantity }
        /// The account that the payment carries.
        public var observedAccount: String? { applicationUsername }
        /// Promotional, where the payment carries a discount.
        public var observedOffer: Offer? { paymentDiscount == nil ? nil : .promotional }
    }

    extension SKPaymentTransaction: ObservedTransaction {
        /// The state.
        public var observedState: ObservedTransactionState? {
            ObservedTransactionState(rawValue: transactionState.rawValue)
        }
        /// The payment.
        public var observedPayment: any ObservedPayment { payment }
        /// The identifier, once purchased or restored.
        public var observedIdentifier: String? { transactionIdentifier }
        /// The date, once purchased or restored.
        public var observedDate: Timestamp? { transactionDate.flatMap { Timestamp($0) } }
        /// The transaction that is restored or renewed.
        public var observedOriginal: (any ObservedTransaction)? { original }
        /// Why the payment failed.
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
            /// The bytes so far.
            public var observedBytes: Int64? {
                Int64(exactly: (Double(progress) * Double(expectedContentLength)).rounded())
            }
            /// The bytes of the whole.
            public var observedTotal: Int64? { max(0, expectedContentLength) }
            /// Why it failed.
            public var observedDownloadFailure: StoreFailure? { error.map { StoreFailure($0) } }
            /// The transaction that the download belongs to.
            public var observedTransaction: any ObservedTransaction { transaction }
        }
    #endif

    extension SKProduct: ObservedProduct {
        /// The identifier.
        public var observedProduct: String { productIdentifier }
        /// The price in thousandths.
        public var observedPrice: Int64? { price.decimalValue.thousandths }
        /// The code of the currency.
        public var observedCurrency: String? { priceLocale.currency?.identifier }
        /// The subscription group.
        public var observedGroup: String? { subscriptionGroupIdentifier }
        /// The length of a period.
        public var observedPeriod: String? {
            subscriptionPeriod.flatMap { period in
                ObservedPeriodUnit(rawValue: Int(period.unit.rawValue))?
                    .duration(period.numberOfUnits)
            }
        }
        /// Whether Apple hosts content of the product.
        public var observedIsHosted: Bool {
            #if os(visionOS) || os(watchOS)
                false
            #else
                isDownloadable
            #endif
        }
        /// Whether it can be shared with the family.
        public var observedIsShareable: Bool? { isFamilyShareable }
    }

    extension StoreFailure {
        /// An error of StoreKit with those below it, to a depth of eight.
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
        /// A date to the millisecond; `nil` for one that no log can hold.
        init?(_ date: Date) {
            let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
            guard let exact = Int64(exactly: milliseconds) else { return nil }
            self.init(milliseconds: exact)
            guard isWritable else { return nil }
        }
    }

    extension Decimal {
        /// The amount in thousandths; `nil` if it isn't a whole number of them.
        var thousandths: Int64? {
            let exact = self * 1_000
            let number = NSDecimalNumber(decimal: exact).int64Value
            return Decimal(number) == exact ? number : nil
        }
    }
#endif
