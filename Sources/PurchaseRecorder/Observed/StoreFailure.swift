import PurchaseEvents

/// An error of the store: the domain and number of an `NSError`, and those below it.
public struct StoreFailure: Error, Hashable, Sendable {
    /// The domain, such as `SKErrorDomain`.
    public var domain: String
    /// The number within the domain.
    public var code: Int
    /// The errors that caused it, the nearest first, as domain and number.
    public var causes: [Cause]

    /// An error that caused another.
    public struct Cause: Hashable, Sendable {
        /// The domain.
        public var domain: String
        /// The number within the domain.
        public var code: Int

        /// Creates a cause.
        public init(domain: String, code: Int) {
            self.domain = domain
            self.code = code
        }
    }

    /// Creates an error.
    public init(domain: String, code: Int, causes: [Cause] = []) {
        self.domain = domain
        self.code = code
        self.causes = causes
    }

    /// The domain of StoreKit 1's errors.
    public static let storeDomain = "SKErrorDomain"

    /// The word that the log holds for the error (importing.md, 3).
    ///
    /// The store's "confirmation required" fails a payment that may be purchased later without a
    /// new request, so it is `interrupted` (I2).
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

    /// The words of `SKErrorDomain`, by their numbers (appstore.md, 2.8).
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
