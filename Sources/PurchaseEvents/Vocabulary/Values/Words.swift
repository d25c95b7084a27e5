/// A closed list of the format: a word that isn't in it makes a line not understood.
public protocol ClosedList: CaseIterable, Packable, RawRepresentable
where RawValue == String, PackedOptional == UInt8 {
    /// The words of the list, indexed by their bytes.
    static var words: WordIndex<Self> { get }
}

/// Where a fact is true: environments never mix (G9.3).
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

/// What a validation of a receipt or a transaction found (G4.19).
public enum ValidationOutcome: String, ClosedList {
    case valid, invalid, unreachable
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Where a purchase was persisted (G4.11).
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

    /// Whether the download can't change any more: finished or cancelled.
    @inlinable
    public var isTerminal: Bool { self == .finished || self == .cancelled }
}

/// Where downloaded files were put (G4.18).
public enum InstallPlace: String, ClosedList {
    case bundle, caches, documents, system
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Why the user can no longer use what was delivered (G6.9).
public enum WithdrawalReason: String, ClosedList {
    case refunded, revoked, expired, upgraded, other
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Whether a transaction was bought or is shared by a family member.
public enum Ownership: String, ClosedList {
    case purchased, familyShared
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The offer that a purchase was made with.
public enum Offer: String, ClosedList {
    case introductory, promotional, code, winBack
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Who started a restore (G8.1).
public enum Requester: String, ClosedList {
    case user, app
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Why a subscription ended (G6.6).
public enum ExpirationReason: String, ClosedList {
    case cancelled, billing, priceIncrease, unavailable, other
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// When a change of plan takes effect (G6.5).
public enum PlanEffect: String, ClosedList {
    case now, nextRenewal
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Whether a price increase was agreed to (G6.6).
public enum PriceConsent: String, ClosedList {
    case pending, agreed
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// Why a purchase was refunded (G6.9).
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

/// What is known of a notification's signature.
public enum SignatureCheck: String, ClosedList {
    case unchecked, valid, invalid
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}

/// The errors that the format names; an `error` may be another word.
public enum KnownError: String, ClosedList {
    case cancelled, notAllowed, invalidPayment, invalidClient, productUnavailable, network
    case interrupted, unknown
    /// The words by their bytes.
    public static let words = WordIndex<Self>()
}
