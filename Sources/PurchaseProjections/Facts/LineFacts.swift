import PurchaseEvents

/// What a log says of one subscription line, keyed by its original (event-log.md, 4).
public struct LineFacts: Sendable {
    /// The transaction that keys the line.
    public let original: TransactionID<Interned>
    /// The first line of the log that names it.
    public var firstLine: LineNumber

    var autoRenewRegister = Register<Bool>()
    var nextProductRegister = Register<PlanChange>()
    var retryRegister = Register<RetryState>()
    var expirationRegister = Register<Expiration>()
    /// What lengthens its periods, said in production, and said in sandbox and xcode.
    var inProduction = PeriodWords(), inTests = PeriodWords()
    /// Whom facts of production name first, and whom those of sandbox and xcode do.
    var accountRegister = Register<AccountID<Interned>>()
    var testAccountRegister = Register<AccountID<Interned>>()
    var consentRegister = Register<PriceConsent>()
    var firstTransaction: TransactionID<Interned>?
    var lastTransaction: TransactionID<Interned>?

    /// Whether the line renews by itself, where a statement says.
    public var autoRenew: Bool? { autoRenewRegister.value }
    /// The latest change of plan.
    public var planChange: PlanChange? { nextProductRegister.value }
    /// What the latest statement about a failed or a successful renewal says.
    public var retry: RetryState? { retryRegister.value }
    /// Why and when the line expired by the latest statement.
    public var expiration: Expiration? { expirationRegister.value }
    /// Whether the latest price increase was agreed to.
    public var consent: PriceConsent? { consentRegister.value }
    /// The account that the latest `account.linked` moved it to.
    public var linkedAccount: AccountID<Interned>?
    /// The line of that `account.linked`.
    public var linkedLine: LineNumber = 0
    /// The account that it belongs to; `nil` where no fact says.
    var account: AccountID<Interned>? { linkedAccount ?? namedAccount }
    /// The account that its facts name first; those of tests count where no others do (G9.3).
    var namedAccount: AccountID<Interned>? { accountRegister.value ?? testAccountRegister.value }
    /// Where the line is listed among what accounts hold; 0 where it isn't yet.
    var holder: UInt32 = 0

    init(original: TransactionID<Interned>, firstLine: LineNumber) {
        self.original = original
        self.firstLine = firstLine
    }
}

/// A change of plan along a line (G6.5).
public struct PlanChange: Hashable, Sendable {
    /// The product that the line changes to.
    public var next: ProductID<Interned>
    /// When the change takes effect.
    public var effect: PlanEffect
}

/// Whether the store is trying to renew a line (G6.6).
public enum RetryState: Hashable, Sendable {
    /// How long the store tries at most, in milliseconds (G6.6).
    static let longest = 60 * Timestamp.day

    /// A renewal failed; the store tries again or not, with a grace period or without.
    case failed(retrying: Bool?, graceExpiresAt: Timestamp?)
    /// The grace period ended, and the store still tries.
    case graceExpired
    /// A renewal succeeded.
    case renewed
    /// The line expired, and nothing is tried.
    case expired
}

/// The end of a line by the App Store's word.
public struct Expiration: Hashable, Sendable {
    /// Why it ended.
    public var reason: ExpirationReason
    /// When it ended, where the statement says.
    public var expiresAt: Timestamp?
}

/// A period of a subscription line: half-open, from `start` to `end` (G6.1).
public struct Period: Hashable, Sendable {
    /// Where it starts.
    public var start: Timestamp
    /// Where it ends by the statements, extensions counted.
    public var end: Timestamp
    /// Until when it grants: its end, or earlier where it was refunded or upgraded away, or later
    /// by a grace period.
    public var accessEnd: Timestamp
    /// What ended the grant before or at `end`, where something did.
    public var ended: Ended?
    /// The transaction that names it; of several with equal start and end, the least by text.
    public var transaction: TransactionID<Interned>
    /// The product.
    public var product: ProductID<Interned>?

    /// Why a period grants less than it says.
    public enum Ended: String, Hashable, Sendable { case refunded, revoked, upgraded }

    /// Whether an instant lies in the part that grants.
    public func grants(at instant: Timestamp) -> Bool { start <= instant && instant < accessEnd }
}
