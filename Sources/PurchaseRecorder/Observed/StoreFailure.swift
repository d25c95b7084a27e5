import PurchaseEvents

/// An error of the store: the domain and code of an `NSError` and of its underlying errors.
public struct StoreFailure: Error, Hashable, Sendable {
    /// The domain, such as `SKErrorDomain`.
    public var domain: String
    /// The error code within the domain.
    public var code: Int
    /// The underlying errors, the nearest first.
    public var causes: [Cause]

    /// An underlying error.
    public struct Cause: Hashable, Sendable {
        /// The domain.
        public var domain: String
        /// The error code within the domain.
        public var code: Int

        /// Creates a cause.
        public init(domain: String, code: Int) { (self.domain, self.code) = (domain, code) }
    }

    /// Creates an error.
    public init(domain: String, code: Int, causes: [Cause] = []) {
        (self.domain, self.code, self.causes) = (domain, code, causes)
    }

    /// The domain of StoreKit 1's errors.
    public static let storeDomain = "SKErrorDomain"

    /// The word for the error in the log (importing.md, 3).
    ///
    /// After the store's "confirmation required", the payment may still be purchased without a new
    /// request, so the word is `interrupted` (I2).
    public var word: String {
        let needsConfirmation = causes.contains {
            $0.domain == "ASDServerErrorDomain" && $0.code == 2024
        }
        switch domain {
        case StoreFailure.storeDomain:
            if code == 0, needsConfirmation { return KnownError.interrupted.rawValue }
            guard StoreFailure.names.indices.contains(code) else {
                return "\(StoreFailure.storeDomain) \(code)"
            }
            return StoreFailure.names[code]
        case "NSURLErrorDomain": return KnownError.network.rawValue
        default: return domain.isEmpty ? KnownError.unknown.rawValue : domain
        }
    }

    /// The words for the codes of `SKErrorDomain` (appstore.md, 2.8).
    static let names = [
        KnownError.unknown.rawValue, KnownError.invalidClient.rawValue,
        KnownError.cancelled.rawValue, KnownError.invalidPayment.rawValue,
        KnownError.notAllowed.rawValue, KnownError.productUnavailable.rawValue,
        "cloudServicePermissionDenied", KnownError.network.rawValue, "cloudServiceRevoked",
        "privacyAcknowledgementRequired", "unauthorizedRequestData", "invalidOfferIdentifier",
        "invalidSignature", "missingOfferParams", "invalidOfferPrice", "overlayCancelled",
        "overlayInvalidConfiguration", "overlayTimeout", "ineligibleForOffer",
        "unsupportedPlatform", "overlayPresentedInBackgroundScene",
    ]
}
