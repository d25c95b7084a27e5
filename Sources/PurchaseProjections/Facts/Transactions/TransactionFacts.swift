import PurchaseEvents

/// The facts that a log states about one transaction: what the App Store attests, and the app's
/// actions by line.
///
/// Takes two cache lines, because a long log has many transactions: the first holds stated values,
/// the second the other frequent facts. Rare facts are in `RareFacts`.
public struct TransactionFacts: Sendable {
    // Stored values count only if `versions` has their field.
    var storedPurchasedAt = Timestamp(milliseconds: 0)
    var storedOriginalPurchasedAt = Timestamp(milliseconds: 0)
    var storedExpiresAt = Timestamp(milliseconds: 0)
    /// The earliest `at` of a statement about the transaction; `.max` if there is none.
    var earliestAt = Timestamp(milliseconds: .max)
    var storedProduct = ProductHandle(index: 0)
    var storedOriginal = TransactionHandle(index: 0)
    var storedGroup = GroupHandle(index: 0)
    var storedAccount = AccountHandle(index: 0)
    /// The price in thousandths; `.max` if it does not fit.
    var shortPrice: UInt32 = 0
    /// The packed currency code; 0 if there is none.
    var currency: UInt32 = 0
    /// The payment that bought the transaction.
    @Packed public internal(set) var payment: PaymentHandle?
    /// The transaction of the same subscription that became known before this one.
    @Packed var previousInSubscription: TransactionHandle?

    /// The rare facts; empty for most transactions.
    var rareList: [RareFacts] = []
    var versions = StatedVersions()
    /// The subscription that the transaction keys as an original, counted from 1; 0 if there is
    /// none.
    var subscriptionIndex: UInt32 = 0
    /// The subscription that the transaction is a period of, counted from 1; 0 if there is none.
    var periodOfSubscription: UInt32 = 0
    /// The key of the account list that contains the transaction; 0 if it is in none.
    var listKey: UInt32 = 0

    /// The log line of the first `queue.purchased`; 0 if there is none.
    public internal(set) var purchasedLine: LineNumber = 0
    /// The line of the first `renewal.started` or `renewal.renewed`; 0 if there is none.
    public internal(set) var renewalLine: LineNumber = 0
    /// The line of the latest `delivery.persisted`; 0 if there is none.
    public internal(set) var persistedLine: LineNumber = 0
    /// The line of the latest `delivery.delivered`; 0 if there is none.
    public internal(set) var deliveredLine: LineNumber = 0
    /// The line of the first `queue.finished`; 0 if there is none.
    public internal(set) var finishedLine: LineNumber = 0
    /// The line of the latest `queue.removed`; 0 if there is none.
    public internal(set) var removedLine: LineNumber = 0
    /// The line of the latest event that names the transaction; 0 if there is none.
    public internal(set) var namedLine: LineNumber = 0

    var storedKind = ProductKind.consumable
    var flags: Flags = []
    /// The quantity; `.max` if it does not fit.
    var shortQuantity: UInt8 = 0

    /// Boolean facts, one bit each.
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let isFamilyShared = Flags(rawValue: 1), isUpgraded = Flags(rawValue: 2)
        /// The environments in which the transaction was stated.
        static let isStatedInSandbox = Flags(rawValue: 4), isStatedInXcode = Flags(rawValue: 8)
        static let isStatedInProduction = Flags(rawValue: 16)
        static let isRestDelivered = Flags(rawValue: 32)
        /// Whether the latest `delivery.persisted` was in the receipt.
        static let isPersistedInReceipt = Flags(rawValue: 64)
        /// Whether the known purchase date is that of a restore (G8.8).
        static let isDatedByRestore = Flags(rawValue: 128)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        @inline(__always)
        init(_ environment: Environment) {
            switch environment {
            case .production: self = .isStatedInProduction
            case .sandbox: self = .isStatedInSandbox
            case .xcode: self = .isStatedInXcode
            }
        }
    }
}

// The facts that the App Store attests.
extension TransactionFacts {
    /// The purchased product.
    public var product: ProductHandle? { versions.has(.product) ? storedProduct : nil }
    /// The original that the transaction names; `nil` if it is its own original.
    public var original: TransactionHandle? { versions.has(.original) ? storedOriginal : nil }
    /// The purchased quantity; 1 if not stated (G3.1).
    public var quantity: Int64 { statedQuantity ?? 1 }
    var statedQuantity: Int64? {
        guard versions.has(.quantity) else { return nil }
        return shortQuantity == .max ? rareList[0].quantity : Int64(shortQuantity)
    }
    /// When the transaction was purchased or, for a restored one, restored (G8.8).
    public var purchasedAt: Timestamp? { versions.has(.purchasedAt) ? storedPurchasedAt : nil }
    /// When the original was purchased.
    public var originalPurchasedAt: Timestamp? {
        versions.has(.originalPurchasedAt) ? storedOriginalPurchasedAt : nil
    }
    /// When the period ends, including extensions.
    public var expiresAt: Timestamp? { versions.has(.expiresAt) ? storedExpiresAt : nil }
    /// Who paid: the user, a family member or an organization; `nil` if not stated.
    public var ownership: Ownership? {
        guard versions.has(.ownership) else { return nil }
        if flags.contains(.isFamilyShared) { return .familyShared }
        return !rareList.isEmpty && rareList[0].isAssigned ? .assigned : .purchased
    }
    /// The billing plan and the commitment that statements give.
    public var terms: BillingTerms {
        rareList.isEmpty ? BillingTerms() : rareList[0].terms.first?.values ?? BillingTerms()
    }
    /// Whether an upgrade replaced the transaction (G6.5).
    public var isUpgraded: Bool { flags.contains(.isUpgraded) }
    /// The product kind that a statement gives.
    public var statedKind: ProductKind? { versions.has(.kind) ? storedKind : nil }
    /// The subscription group that a statement gives.
    public var group: GroupHandle? { versions.has(.group) ? storedGroup : nil }
    /// The price of the whole transaction.
    public var price: Price? {
        guard versions.has(.price) else { return nil }
        return Price(
            thousandths: shortPrice == .max ? rareList[0].thousandths : Int64(shortPrice),
            currency: Currency(stored: currency))
    }
    /// The account that the transaction's earliest statement names.
    public var account: AccountHandle? { versions.has(.account) ? storedAccount : nil }

    /// The refund or revocation in force; an upgrade is neither (G6.9).
    @inline(__always)
    public var refund: Refund? { versions.has(.refund) ? refundInForce : nil }

    private var refundInForce: Refund? {
        guard !isUpgraded, let cancelledAt else { return nil }
        return Refund(
            kind: refundKind, cancelledAt: cancelledAt,
            percent: versions.has(.refundPercent) ? rareList[0].refundPercent : nil)
    }

    /// The cancellation date in force, including that of an upgrade.
    public var cancelledAt: Timestamp? {
        guard versions.has(.refund), !rareList.isEmpty,
            case .taken(let cancelledAt) = rareList[0].refund
        else { return nil }
        return cancelledAt
    }

    /// The environment of the transaction's statements; of several, production, then sandbox.
    public var environment: Environment? {
        if flags.contains(.isStatedInProduction) { return .production }
        if flags.contains(.isStatedInSandbox) { return .sandbox }
        return flags.contains(.isStatedInXcode) ? .xcode : nil
    }

    /// The earliest `at` of a statement about the transaction; `nil` if there is none.
    public var recordedAt: Timestamp? { earliestAt.milliseconds == .max ? nil : earliestAt }
    /// The latest transaction that restores this one.
    var restoredAs: TransactionHandle? { rareList.isEmpty ? nil : rareList[0].restoredAs }
    /// Whether a statement about the transaction was made in production (G9.3).
    public var isStatedInProduction: Bool { flags.contains(.isStatedInProduction) }
    @inline(__always)
    func isStated(in environment: Environment) -> Bool { flags.contains(Flags(environment)) }
    /// Whether statements made in an environment count: test statements stop counting once a
    /// production statement exists (G9.3).
    @inline(__always)
    func accepts(_ environment: Environment) -> Bool {
        environment == .production || !isStatedInProduction
    }
}

// Log lines, and the app's actions.
extension TransactionFacts {
    /// The line of the first statement of any type; 0 if there is none.
    public var statedLine: LineNumber {
        let lines = rareList.isEmpty ? (0, 0) : (rareList[0].restoredLine, rareList[0].listedLine)
        // Subtracting one turns 0 into the greatest number, so `min` ignores missing lines.
        let first = min(purchasedLine &- 1, renewalLine &- 1)
        return min(first, lines.0 &- 1, lines.1 &- 1) &+ 1
    }
    /// The line of the latest `queue.purchased`; 0 if there is none.
    public var latestPurchasedLine: LineNumber {
        rareList.isEmpty || rareList[0].latestPurchasedLine == 0
            ? purchasedLine : rareList[0].latestPurchasedLine
    }
    /// The line of the first `queue.restored`; 0 if there is none.
    public var restoredLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].restoredLine }
    /// The line of the latest `queue.restored`; 0 if there is none.
    public var latestRestoredLine: LineNumber {
        rareList.isEmpty ? 0 : rareList[0].latestRestoredLine
    }
    /// The line of the first `receipt.listed`; 0 if there is none.
    public var listedLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].listedLine }
    /// The line of the latest `delivery.persisted` with the store `receipt`; 0 if there is none.
    public var persistedInReceiptLine: LineNumber {
        if flags.contains(.isPersistedInReceipt) { return persistedLine }
        return rareList.isEmpty ? 0 : rareList[0].persistedInReceiptLine
    }
    /// The line of the first `delivery.delivered`; 0 if there is none.
    public var firstDeliveredLine: LineNumber {
        rareList.isEmpty || rareList[0].firstDeliveredLine == 0
            ? deliveredLine : rareList[0].firstDeliveredLine
    }
    /// The line of the `delivery.delivered` before the latest; 0 if there is none.
    public var previousDeliveredLine: LineNumber {
        rareList.isEmpty ? 0 : rareList[0].previousDeliveredLine
    }
    /// The line of the latest `delivery.withdrawn`; 0 if there is none.
    public var withdrawnLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].withdrawnLine }
    /// The line of the latest `queue.finished`; 0 if there is none.
    public var latestFinishedLine: LineNumber {
        rareList.isEmpty || rareList[0].latestFinishedLine == 0
            ? finishedLine : rareList[0].latestFinishedLine
    }
    /// The line of the `queue.finished` before the latest; 0 if there is none.
    public var previousFinishedLine: LineNumber {
        rareList.isEmpty ? 0 : rareList[0].previousFinishedLine
    }
    /// The outcome of the latest validation that the server answered, otherwise `unreachable`
    /// (G4.19).
    public var validation: ValidationOutcome? { rareList.isEmpty ? nil : rareList[0].validation }
    /// The line that states ``validation``; 0 if there is none.
    public var validatedLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].validatedLine }
    /// The line from which on the transaction was last known to be invalid; 0 if it never was.
    var invalidLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].invalidLine }
    /// The line of the latest `delivery.validated` with the outcome `valid`; 0 if there is none.
    public var validLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].validLine }
    /// The line of the latest `delivery.installed`; 0 if there is none.
    public var installedLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].installedLine }
    /// The line at which the log first knew of the latest refund or revocation; 0 if there is none.
    public var refundedLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].refundedLine }
    /// The line of the first `delivery.download`; 0 if there is none.
    public var downloadLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].downloadLine }
    /// The line of the latest `delivery.download`; 0 if there is none.
    public var downloadedLine: LineNumber { rareList.isEmpty ? 0 : rareList[0].downloadedLine }
    /// The quantity delivered before the latest delivery, since the last withdrawal.
    public var deliveredBefore: Int64 { rareList.isEmpty ? 0 : rareList[0].deliveredBefore }
    /// The quantity delivered in total, including withdrawn units; saturates.
    public var totalDelivered: Int64 { deliveredQuantity.addingSaturating(totalWithdrawn) }
    /// The quantity withdrawn in total; saturates.
    public var totalWithdrawn: Int64 { rareList.isEmpty ? 0 : rareList[0].totalWithdrawn }
    /// The quantity that the latest withdrawal took away.
    public var withdrawnQuantity: Int64 { rareList.isEmpty ? 0 : rareList[0].withdrawnQuantity }
    /// The number of downloads that have neither finished nor been cancelled.
    public var openDownloads: Int32 { rareList.isEmpty ? 0 : rareList[0].openDownloads }
    /// The number of finished downloads.
    public var finishedDownloads: Int32 { rareList.isEmpty ? 0 : rareList[0].finishedDownloads }
    /// The place of the most recently discovered download, plus 1; 0 if there is none.
    var lastDownload: UInt32 { rareList.isEmpty ? 0 : rareList[0].lastDownload }
    var isDownloadedBySeveral: Bool { !rareList.isEmpty && rareList[0].isDownloadedBySeveral }
    /// The end that the app set for a non-renewing subscription (G1.4).
    public var until: Timestamp? { rareList.isEmpty ? nil : rareList[0].until }
    /// The latest of the ends that the app ever set for it.
    var latestUntil: Timestamp? { rareList.isEmpty ? nil : rareList[0].latestUntil }
    /// The number of times the transaction was presented to the observer (G4.4).
    public var presentations: UInt32 {
        (isPurchased ? 1 : 0) &+ (rareList.isEmpty ? 0 : rareList[0].presentations)
    }

    /// Whether the queue reported the transaction as purchased.
    public var isPurchased: Bool { purchasedLine != 0 }
    /// Whether the queue reported the transaction as restored.
    public var isRestored: Bool { restoredLine != 0 }
    /// Whether the log shows the transaction in a queue.
    var wasInQueue: Bool { isPurchased || isRestored || isFinished || removedLine != 0 }
    /// Whether the transaction was delivered and not withdrawn since.
    public var isDelivered: Bool { deliveredLine > withdrawnLine }
    /// Whether the transaction is finished.
    public var isFinished: Bool { finishedLine != 0 }
    /// Whether a statement other than a restore attests the transaction, so that its dates form a
    /// period (G8.8).
    public var attestsPeriod: Bool { purchasedLine != 0 || renewalLine != 0 || listedLine != 0 }
    /// Whether only a restore attests the transaction, so that a refund of its original ends it
    /// too.
    var isOnlyRestored: Bool { isRestored && !attestsPeriod }

    /// Whether all deliveries since the last withdrawal came after a line, and one of them gave all
    /// that was still to be delivered.
    func isRestDelivered(after line: LineNumber) -> Bool {
        flags.contains(.isRestDelivered) && firstDeliveredLine > line
    }

    /// The quantity delivered since the last withdrawal; saturates.
    ///
    /// A delivery of the rest covers the whole quantity, even if a later statement changes the
    /// quantity.
    public var deliveredQuantity: Int64 {
        let parts = rareList.isEmpty ? 0 : rareList[0].deliveredParts
        guard flags.contains(.isRestDelivered) else { return parts }
        let rest = max(parts.addingSaturating(1), quantity)
        return rareList.isEmpty ? rest : rest.addingSaturating(rareList[0].deliveredAfterRest)
    }
}

/// The price of a transaction, in thousandths of a currency unit (G2.4).
public struct Price: Hashable, Sendable {
    /// Thousandths of the currency unit, for the whole transaction.
    public var thousandths: Int64
    /// The currency; `nil` if not stated.
    public var currency: Currency?
}

/// A refund or a revocation of a transaction (G6.9).
public struct Refund: Hashable, Sendable {
    /// The kind of a cancellation: a refund gives money back, a revocation ends family sharing.
    public enum Kind: Hashable, Sendable {
        /// The money was given back.
        case refunded
        /// Family sharing ended.
        case revoked
    }
    /// Whether the cancellation is a refund or a revocation.
    public var kind: Kind
    /// The date from which the purchase counts as never made.
    public var cancelledAt: Timestamp
    /// The refunded share in thousandths of a percent; `nil` means all.
    public var percent: Int64?

    /// The full share, in thousandths of a percent.
    public static let whole: Int64 = RefundedShare.whole
}

/// The stated state of a refund: taken, or reversed.
enum RefundState: Hashable, Sendable {
    case taken(cancelledAt: Timestamp)
    case reversed
}

extension TransactionFacts {
    static let lists = FieldVisitor.ListPlaces(of: \TransactionFacts.rareList)

    /// Visits neighbouring transactions as they lie in memory, then their rare facts.
    static func visit(
        _ run: UnsafeMutableBufferPointer<TransactionFacts>, _ visitor: FieldVisitor
    ) {
        visitor.visitImages(of: run, without: lists, isPlain: { $0.rareList.isEmpty }) {
            visitor.visit(&$0.rareList)
        }
    }
}
