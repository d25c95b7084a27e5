/// A closed list of words: a line with any other word isn't understood.
public protocol ClosedList: BitwiseCopyable, CaseIterable, Packable, RawRepresentable
where RawValue == String, PackedOptional == UInt8 {
    /// The words of the list, indexed by their bytes.
    static var words: WordIndex<Self> { get }
}

extension ClosedList {
    /// Hashes the place in the list, which costs less than the word.
    public func hash(into hasher: inout Hasher) { hasher.combine(Self.pack(self)) }
}

/// The environment in which a fact is true; environments never mix (G9.3).
public enum Environment: String, ClosedList {
    /// The App Store: real purchases.
    case production
    /// The sandbox: test accounts, shortened periods.
    case sandbox
    /// StoreKit testing in Xcode: no App Store at all.
    case xcode
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The four product types (G1.1).
public enum ProductKind: String, ClosedList {
    /// Used up, and bought again at will.
    case consumable
    /// Bought once, kept forever.
    case nonConsumable
    /// A subscription that the App Store renews.
    case autoRenewable
    /// A subscription that the app ends.
    case nonRenewing
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The result of validating a receipt or a transaction (G4.19).
public enum ValidationOutcome: String, ClosedList {
    /// The receipt or the transaction is genuine.
    case valid
    /// The receipt or the transaction is not genuine.
    case invalid
    /// The server gave no answer.
    case unreachable
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The store that holds a purchase (G4.11).
public enum PersistentStore: String, ClosedList {
    /// The receipt, which stays with the app.
    case receipt
    /// The user's defaults on the device.
    case userDefaults
    /// The key-value store or the documents of iCloud.
    case iCloud
    /// The app's server.
    case server
    /// The app's own files.
    case appState
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The state of a download of hosted content (G4.16).
public enum DownloadState: String, ClosedList {
    /// The download has not begun.
    case waiting
    /// The download is running.
    case active
    /// The user paused the download.
    case paused
    /// All the files have arrived.
    case finished
    /// The download failed, and may start again.
    case failed
    /// The download was cancelled for good.
    case cancelled
    /// The words by their bytes.
    public static let words = WordIndex<Self>()

    /// Whether the download is finished or cancelled, and so can't change any more.
    @inlinable
    public var isTerminal: Bool { self == .finished || self == .cancelled }
}

/// The place that downloaded files were moved to (G4.18).
public enum InstallPlace: String, ClosedList {
    /// The bundle of the app.
    case bundle
    /// The caches folder, which the system may empty.
    case caches
    /// The documents folder, or another folder that the system keeps.
    case documents
    /// A folder of the system.
    case system
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The reason why the user can no longer use a purchase (G6.9).
public enum WithdrawalReason: String, ClosedList {
    /// The purchase was refunded.
    case refunded
    /// Family sharing ended.
    case revoked
    /// The period ended.
    case expired
    /// A higher plan replaced this plan.
    case upgraded
    /// Another reason.
    case other
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Who paid for the product: the user, a family member, or an organization.
public enum Ownership: String, ClosedList {
    /// The user bought the product.
    case purchased
    /// A family member bought the product and shares it.
    case familyShared
    /// An organization or a group paid for the user's seat.
    case assigned
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The offer that a purchase used.
public enum Offer: String, ClosedList {
    /// The first period at a lower price, or free.
    case introductory
    /// An offer that the app signs for present or former subscribers.
    case promotional
    /// A code that the user redeemed.
    case code
    /// An offer for former subscribers.
    case winBack
    /// An offer for subscribers who are about to leave.
    case retention
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// How a subscriber pays for a subscription.
public enum BillingPlan: String, ClosedList {
    /// The whole period at once.
    case upfront
    /// A month at a time, for a committed number of months.
    case monthly
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The requester of a restore: the user or the app (G8.1).
public enum Requester: String, ClosedList {
    /// The user asked.
    case user
    /// The app started the restore by itself.
    case app
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The reason why a subscription ended (G6.6).
public enum ExpirationReason: String, ClosedList {
    /// The user turned auto-renewal off.
    case cancelled
    /// The payment failed.
    case billing
    /// The user did not agree to a higher price.
    case priceIncrease
    /// The product was no longer on sale.
    case unavailable
    /// Another reason.
    case other
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The time when a plan change takes effect (G6.5).
public enum PlanEffect: String, ClosedList {
    /// At once.
    case now
    /// With the next period.
    case nextRenewal
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Whether the subscriber agreed to a price increase (G6.6).
public enum PriceConsent: String, ClosedList {
    /// The user has not answered.
    case pending
    /// The user agreed, or did not have to.
    case agreed
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The reason for a refund (G6.9).
public enum RefundReason: String, ClosedList {
    /// The app had a problem.
    case issue
    /// Another reason.
    case other
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The reasons for a revocation in the format's list; a `reason` may also be any other word.
public enum RevocationReason: String, CaseIterable, Hashable, Sendable {
    /// Family sharing ended; also what an absent reason means.
    case family
    /// An organization or a group took the seat back.
    case assignment
    /// The purchase went over into a bundle.
    case bundle
}

/// Whether a notification carried the expected shared secret (G7.2).
public enum SecretCheck: String, ClosedList {
    /// The secret is the expected one.
    case right
    /// The secret differs from the expected one.
    case wrong
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The result of checking a notification's signature.
public enum SignatureCheck: String, ClosedList {
    /// Nobody verified the signature.
    case unchecked
    /// The signature is valid.
    case valid
    /// The signature is not valid.
    case invalid
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The errors in the format's list; an `error` may also be any other word.
public enum KnownError: String, ClosedList {
    /// The user cancelled.
    case cancelled
    /// The user may not make payments.
    case notAllowed
    /// The store could not use the payment.
    case invalidPayment
    /// The client may not make this request.
    case invalidClient
    /// The product is not on sale here.
    case productUnavailable
    /// The store was not reachable.
    case network
    /// The user must confirm something first; the payment may still be purchased later (I2).
    case interrupted
    /// The store gave no reason.
    case unknown
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}
