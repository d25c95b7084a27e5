/// A closed list of words: a line with any other word isn't understood.
public protocol ClosedList: CaseIterable, Packable, RawRepresentable
where RawValue == String, PackedOptional == UInt8 {
    /// The words of the list, indexed by their bytes.
    static var words: WordIndex<Self> { get }
}

/// The environment in which a fact is true; environments never mix (G9.3).
public enum Environment: String, ClosedList {
    case production, sandbox, xcode
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The four product types (G1.1).
public enum ProductKind: String, ClosedList {
    case consumable, nonConsumable, autoRenewable, nonRenewing
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The result of validating a receipt or a transaction (G4.19).
public enum ValidationOutcome: String, ClosedList {
    case valid, invalid, unreachable
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The store that holds a purchase (G4.11).
public enum PersistentStore: String, ClosedList {
    case receipt, userDefaults, iCloud, server, appState
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The state of a download of hosted content (G4.16).
public enum DownloadState: String, ClosedList {
    case waiting, active, paused, finished, failed, cancelled
    /// The words by their bytes.
    public static let words = WordIndex<Self>()

    /// Whether the download is finished or cancelled, and so can't change any more.
    @inlinable
    public var isTerminal: Bool { self == .finished || self == .cancelled }
}

/// The place that downloaded files were moved to (G4.18).
public enum InstallPlace: String, ClosedList {
    case bundle, caches, documents, system
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The reason why the user can no longer use a purchase (G6.9).
public enum WithdrawalReason: String, ClosedList {
    case refunded, revoked, expired, upgraded, other
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Whether the user bought the product or a family member shares it.
public enum Ownership: String, ClosedList {
    case purchased, familyShared
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The offer that a purchase used.
public enum Offer: String, ClosedList {
    case introductory, promotional, code, winBack
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Who started a restore: the user or the app (G8.1).
public enum Requester: String, ClosedList {
    case user, app
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The reason why a subscription ended (G6.6).
public enum ExpirationReason: String, ClosedList {
    case cancelled, billing, priceIncrease, unavailable, other
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The time when a plan change takes effect (G6.5).
public enum PlanEffect: String, ClosedList {
    case now, nextRenewal
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Whether the subscriber agreed to a price increase (G6.6).
public enum PriceConsent: String, ClosedList {
    case pending, agreed
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The reason for a refund (G6.9).
public enum RefundReason: String, ClosedList {
    case issue, other
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Whether a notification carried the expected shared secret (G7.2).
public enum SecretCheck: String, ClosedList {
    case right, wrong
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The result of checking a notification's signature.
public enum SignatureCheck: String, ClosedList {
    case unchecked, valid, invalid
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The errors in the format's list; an `error` may also be any other word.
public enum KnownError: String, ClosedList {
    case cancelled, notAllowed, invalidPayment, invalidClient, productUnavailable, network
    case interrupted, unknown
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}
