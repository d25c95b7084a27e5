import PurchaseEvents

/// The facts that a log states about one subscription, keyed by its original (event-log.md,
/// 4).
public struct SubscriptionFacts: Sendable {
    /// The transaction that keys the subscription.
    public private(set) var original: TransactionHandle
    /// The first log line that names the subscription.
    public var firstLine: LineNumber

    /// Whether production attests the original or any transaction that names it.
    var isOfProduction = false
    var inProduction = SubscriptionStatements()
    /// Statements about the subscription made in sandbox and xcode; empty if there are none.
    var tests: [SubscriptionStatements] = []
    var firstTransaction: TransactionHandle?
    var lastTransaction: TransactionHandle?
    /// No period of the subscription starts later.
    var latestStart = Timestamp(milliseconds: .min)
    /// Whether some period may have begun after another was stated and before that begins.
    var mayTakeBackRenewals = false
    /// The number of the subscription's transactions, and of those that production attests.
    var transactionCount: Int32 = 0, productionCount: Int32 = 0
    /// Whether a transaction ever left the subscription for another.
    var losesTransactions = false
    /// The key of the account list that contains the subscription; 0 if it is in none.
    var listKey: UInt32 = 0

    /// Visits the numbers of each subscription as they lie in memory, and its lists.
    static func visit(_ all: inout [SubscriptionFacts], _ visitor: FieldVisitor) {
        let count = visitor.visitCount(all.count, ofSize: MemoryLayout<SubscriptionFacts>.stride)
        if visitor.isReading {
            let empty = SubscriptionFacts(original: TransactionID(index: 0), firstLine: 0)
            all = Array(repeating: empty, count: count)
        }
        all.withUnsafeMutableBufferPointer { all in
            visitor.visitImages(
                of: all, without: lists,
                isPlain: { $0.inProduction.extent == 0 && $0.tests.isEmpty }
            ) {
                visitor.visit(&$0.inProduction.extensions).visit(&$0.inProduction.gracePeriods)
                visitor.visit(&$0.tests)
            }
        }
    }

    static let lists = FieldVisitor.ListPlaces(
        of: \SubscriptionFacts.inProduction.extensions.byTime, \.inProduction.gracePeriods.stated,
        \.inProduction.gracePeriods.endLines, \.tests)

    init(original: TransactionHandle, firstLine: LineNumber) {
        self.original = original
        self.firstLine = firstLine
    }
}

/// A change of plan in a subscription (G6.5).
public struct PlanChange: BitwiseCopyable, Hashable, Sendable {
    /// The product that the subscription changes to.
    public var next: ProductHandle
    /// When the change takes effect.
    public var effect: PlanEffect
}

/// The state of the store's attempts to renew a subscription (G6.6).
public enum RetryState: BitwiseCopyable, Hashable, Sendable {
    /// The longest time for which the store retries, in milliseconds (G6.6).
    static let longest = 60 * Timestamp.day

    /// The longest time for a plan; it is longer for a monthly one with a commitment.
    static func longest(isMonthly: Bool) -> Int64 { isMonthly ? 90 * Timestamp.day : longest }

    /// A renewal failed; states whether the store retries, and the end of any grace period.
    case failed(retrying: Bool?, graceExpiresAt: Timestamp?)
    /// The grace period ended; the store still retries.
    case graceExpired
    /// A renewal succeeded.
    case renewed
    /// The subscription expired; the store no longer retries.
    case expired
}

/// The end of a subscription as the App Store states it.
public struct Expiration: BitwiseCopyable, Hashable, Sendable {
    /// Why the subscription ended.
    public var reason: ExpirationReason
    /// When the subscription ended, if stated.
    public var expiresAt: Timestamp?
}

/// A period of a subscription: from `start` up to but not including `end` (G6.1).
public struct Period: Hashable, Sendable {
    /// The start of the period.
    public var start: Timestamp
    /// The stated end, including extensions.
    public var end: Timestamp
    /// The end of access: `end`, an earlier refund or upgrade, or the later end of a grace period.
    public var accessEnd: Timestamp
    /// Why access ended at or before `end`; `nil` if nothing ended it early.
    public var ended: Ended?
    /// The transaction that states the period; of several with equal start and end, the one that
    /// sorts first as text.
    public var transaction: TransactionHandle
    /// The product, if known.
    public var product: ProductHandle?

    /// Why access ended before the stated end.
    public enum Ended: String, Hashable, Sendable {
        /// The purchase was refunded.
        case refunded
        /// Family sharing ended.
        case revoked
        /// A higher plan replaced this plan.
        case upgraded
    }

    /// Whether the period gives access at an instant.
    public func grants(at instant: Timestamp) -> Bool { start <= instant && instant < accessEnd }
}
