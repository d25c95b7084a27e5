import PurchaseEvents

/// What a log says of one subscription line, keyed by its original (event-log.md, 4).
public struct LineFacts: Sendable {
    /// The transaction that keys the line.
    public let original: TransactionID<Interned>
    /// The first line of the log that names it.
    public var firstLine: LineNumber

    /// Whether its original, or any transaction that names it, is attested in production.
    var isOfProduction = false
    /// What is said of it in production.
    var inProduction = LineWords()
    /// What is said of it in sandbox and xcode; empty where nothing is.
    var tests: [LineWords] = []
    var firstTransaction: TransactionID<Interned>?
    var lastTransaction: TransactionID<Interned>?
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
