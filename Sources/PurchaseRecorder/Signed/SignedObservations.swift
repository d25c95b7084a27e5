import PurchaseEvents

/// A transaction from StoreKit 2: a `VerificationResult<Transaction>`, or a test's own.
public protocol ObservedSignedTransaction: Sendable {
    /// The App Store's signed statement: a JWS, or only the JSON of its payload if there is no JWS.
    var observedStatement: String { get }
    /// The reason why StoreKit couldn't verify the statement; `nil` if it could.
    var observedDistrust: Distrust? { get }
    /// Finishes the transaction (G4.8).
    func finishObserved() async
}

/// A subscription's status: a `Product.SubscriptionInfo.Status`, or a test's own.
public protocol ObservedStatus: Sendable {
    /// The raw value of the state: 1 subscribed, 2 expired, 3 in billing retry, 4 in a grace
    /// period, 5 revoked.
    var observedState: Int { get }
    /// The latest transaction.
    var observedTransaction: any ObservedSignedTransaction { get }
    /// The App Store's signed statement about the next renewal: a JWS.
    var observedRenewalInfo: String { get }
    /// The reason why StoreKit couldn't verify the renewal info; `nil` if it could.
    var observedRenewalDistrust: Distrust? { get }
}

/// The reason why StoreKit 2 couldn't verify something: the cases of
/// `VerificationResult.VerificationError`.
public enum Distrust: String, Error, CaseIterable, Hashable, Sendable {
    /// A certificate was revoked, which may be temporary.
    case revokedCertificate
    /// The certificate chain doesn't end at Apple's root.
    case invalidCertificateChain
    /// The statement belongs to another device.
    case invalidDeviceVerification
    /// The statement can't be read.
    case invalidEncoding
    /// The signature is wrong.
    case invalidSignature
    /// The check lacks something that it needs.
    case missingRequiredProperties
    /// A case that this version doesn't know.
    case unknown
}

/// The result of a call of `Product.purchase`.
public enum ObservedPurchaseResult: Sendable {
    /// The user paid; StoreKit may have failed to verify the transaction.
    case success(any ObservedSignedTransaction)
    /// The user cancelled.
    case userCancelled
    /// The purchase waits for someone else's approval.
    case pending
    /// The call threw an error.
    case failed(SignedStoreError)
}

/// The errors of StoreKit 2: the cases of `StoreKitError` and `Product.PurchaseError`.
public enum SignedStoreError: String, Error, CaseIterable, Hashable, Sendable {
    /// An error without a name, or one that this version does not know.
    case unknown
    /// The user cancelled.
    case userCancelled
    /// The store was not reachable.
    case networkError
    /// The system failed.
    case systemError
    /// The product is not on sale in the user's country.
    case notAvailableInStorefront
    /// The app lacks the entitlement for the call.
    case notEntitled
    /// The platform lacks the call.
    case unsupported
    /// The quantity isn't allowed.
    case invalidQuantity
    /// The product is not on sale.
    case productUnavailable
    /// The user may not pay.
    case purchaseNotAllowed
    /// The user may not use the offer.
    case ineligibleForOffer
    /// The offer is not known.
    case invalidOfferIdentifier
    /// The price of the offer is not valid.
    case invalidOfferPrice
    /// The offer's signature isn't valid.
    case invalidOfferSignature
    /// The offer lacks parameters.
    case missingOfferParameters

    /// The word for the error in the log (importing.md, 3).
    public var word: String {
        switch self {
        case .unknown: KnownError.unknown.rawValue
        case .userCancelled: KnownError.cancelled.rawValue
        case .networkError: KnownError.network.rawValue
        case .productUnavailable, .notAvailableInStorefront: KnownError.productUnavailable.rawValue
        case .purchaseNotAllowed: KnownError.notAllowed.rawValue
        case .invalidQuantity: KnownError.invalidPayment.rawValue
        case .systemError, .notEntitled, .unsupported, .ineligibleForOffer, .invalidOfferIdentifier,
            .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters:
            rawValue
        }
    }
}
