import PurchaseEvents

/// A transaction as StoreKit 2 hands it out: `VerificationResult<Transaction>`, or that of a test.
public protocol ObservedSignedTransaction: Sendable {
    /// What the App Store signed: a JWS, or the JSON of its payload where there is none.
    var observedStatement: String { get }
    /// Why StoreKit could not verify it; `nil` if it could.
    var observedDistrust: Distrust? { get }
    /// Finishes the transaction (G4.8).
    func finishObserved() async
}

/// A subscription's status: `Product.SubscriptionInfo.Status`, or that of a test.
public protocol ObservedStatus: Sendable {
    /// The raw value of the state: 1 subscribed, 2 expired, 3 in billing retry, 4 in a grace
    /// period, 5 revoked.
    var observedState: Int { get }
    /// The latest transaction.
    var observedTransaction: any ObservedSignedTransaction { get }
    /// What the App Store signed of the next renewal: a JWS.
    var observedRenewalInfo: String { get }
    /// Why StoreKit could not verify the renewal info; `nil` if it could.
    var observedRenewalDistrust: Distrust? { get }
}

/// Why StoreKit 2 could not verify something: the cases of `VerificationResult.VerificationError`.
public enum Distrust: String, Error, CaseIterable, Hashable, Sendable {
    /// A certificate was revoked; this may resolve itself later.
    case revokedCertificate
    /// The certificates don't lead to Apple's.
    case invalidCertificateChain
    /// The statement is of another device.
    case invalidDeviceVerification
    /// The statement can't be read.
    case invalidEncoding
    /// The signature doesn't hold.
    case invalidSignature
    /// Something that the check needs is missing.
    case missingRequiredProperties
    /// A case that this version doesn't know.
    case unknown
}

/// How a call of `Product.purchase` ended.
public enum ObservedPurchaseResult: Sendable {
    /// The purchase is paid; StoreKit may not have been able to verify it.
    case success(any ObservedSignedTransaction)
    /// The user cancelled.
    case userCancelled
    /// The purchase waits for someone else's approval.
    case pending
    /// The call threw.
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
    /// The quantity is not one that can be bought.
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
    /// The offer's signature does not hold.
    case invalidOfferSignature
    /// The offer lacks parameters.
    case missingOfferParameters

    /// The word that the log holds for the error (importing.md, 3).
    public var word: String {
        switch self {
        case .unknown: KnownError.unknown.rawValue
        case .userCancelled: KnownError.cancelled.rawValue
        case .networkError: KnownError.network.rawValue
        case .productUnavailable, .notAvailableInStorefront: KnownError.productUnavailable.rawValue
        case .purchaseNotAllowed: KnownError.notAllowed.rawValue
        case .invalidQuantity: KnownError.invalidPayment.rawValue
        case .systemError, .notEntitled, .unsupported, .ineligibleForOffer,
            .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
            .missingOfferParameters:
            rawValue
        }
    }
}
