#if canImport(StoreKit)
    import PurchaseEvents
    import StoreKit

    // The objects of StoreKit 2, as the recorder observes them.

    extension VerificationResult: ObservedSignedTransaction where SignedType == Transaction {
        /// The statement that the App Store signed.
        public var observedStatement: String { jwsRepresentation }
        /// The reason why StoreKit couldn't verify the statement; `nil` if it could.
        public var observedDistrust: Distrust? { distrust }
        /// Finishes the transaction.
        public func finishObserved() async { await unsafePayloadValue.finish() }
    }

    extension VerificationResult {
        /// The reason why StoreKit couldn't verify the value; `nil` if it could.
        fileprivate var distrust: Distrust? {
            switch self {
            case .verified: nil
            case .unverified(_, let error):
                switch error {
                case .revokedCertificate: .revokedCertificate
                case .invalidCertificateChain: .invalidCertificateChain
                case .invalidDeviceVerification: .invalidDeviceVerification
                case .invalidEncoding: .invalidEncoding
                case .invalidSignature: .invalidSignature
                case .missingRequiredProperties: .missingRequiredProperties
                @unknown default: .unknown
                }
            }
        }
    }

    extension Product.SubscriptionInfo.Status: ObservedStatus {
        /// The raw value of the state.
        public var observedState: Int { state.rawValue }
        /// The latest transaction.
        public var observedTransaction: any ObservedSignedTransaction { transaction }
        /// The App Store's signed statement about the next renewal.
        public var observedRenewalInfo: String { renewalInfo.jwsRepresentation }
        /// The reason why StoreKit couldn't verify the renewal info; `nil` if it could.
        public var observedRenewalDistrust: Distrust? { renewalInfo.distrust }
    }

    extension Product: ObservedProduct {
        /// The identifier.
        public var observedProduct: String { id }
        /// The kind.
        public var observedKind: ProductKind? {
            switch type {
            case .consumable: .consumable
            case .nonConsumable: .nonConsumable
            case .nonRenewable: .nonRenewing
            case .autoRenewable: .autoRenewable
            default: nil
            }
        }
        /// StoreKit's word for the kind, also for a kind that this version doesn't know, such as a
        /// bundle of subscriptions.
        public var observedKindWord: String? { type.rawValue }
        /// The price in thousandths of the currency's unit.
        public var observedPrice: Int64? { price.thousandths }
        /// The currency code.
        public var observedCurrency: String? { priceFormatStyle.currencyCode }
        /// The subscription group.
        public var observedGroup: String? { subscription?.subscriptionGroupID }
        /// The length of a subscription period.
        public var observedPeriod: String? {
            subscription.flatMap { info in
                let unit: ObservedPeriodUnit? =
                    switch info.subscriptionPeriod.unit {
                    case .day: .day
                    case .week: .week
                    case .month: .month
                    case .year: .year
                    @unknown default: nil
                    }
                return unit?.duration(info.subscriptionPeriod.value)
            }
        }
        /// False: StoreKit 2 has no hosted downloads.
        public var observedIsHosted: Bool { false }
        /// Whether the product can be shared with the family.
        public var observedIsShareable: Bool? { isFamilyShareable }
    }

    extension SignedStoreError {
        /// Creates the error for one that StoreKit 2 threw.
        init(_ error: any Error) {
            self =
                switch error {
                case let error as StoreKitError: SignedStoreError(error)
                case let error as Product.PurchaseError: SignedStoreError(error)
                default: .unknown
                }
        }

        private init(_ error: StoreKitError) {
            self =
                switch error {
                case .unknown: .unknown
                case .userCancelled: .userCancelled
                case .networkError: .networkError
                case .systemError: .systemError
                case .notAvailableInStorefront: .notAvailableInStorefront
                case .notEntitled: .notEntitled
                @unknown default: .unknown
                }
        }

        private init(_ error: Product.PurchaseError) {
            self =
                switch error {
                case .invalidQuantity: .invalidQuantity
                case .productUnavailable: .productUnavailable
                case .purchaseNotAllowed: .purchaseNotAllowed
                case .ineligibleForOffer: .ineligibleForOffer
                case .invalidOfferIdentifier: .invalidOfferIdentifier
                case .invalidOfferPrice: .invalidOfferPrice
                case .invalidOfferSignature: .invalidOfferSignature
                case .missingOfferParameters: .missingOfferParameters
                @unknown default: .unknown
                }
        }
    }
#endif
