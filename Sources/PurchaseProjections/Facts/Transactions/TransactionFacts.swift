import PurchaseEvents

/// What a log says of one transaction: what the App Store attests, and what the app did, by line.
///
/// Two cache lines long, for a long log knows many transactions: the first holds values that
/// statements say, the second what else is asked for. What few of them have lies elsewhere.
public struct TransactionFacts: Sendable {
    // What statements say counts where `versions` has a version of it.
    var saidPurchasedAt = Timestamp(milliseconds: 0)
    var saidOriginalPurchasedAt = Timestamp(milliseconds: 0)
    var saidExpiresAt = Timestamp(milliseconds: 0)
    /// The earliest `at` of a statement of it; the greatest number where there is none.
    var earliestAt = Timestamp(milliseconds: .max)
    var saidProduct = ProductID<Interned>(index: 0)
    var saidOriginal = TransactionID<Interned>(index: 0)
    var saidGroup = GroupID<Interned>(index: 0)
    var saidAccount = AccountID<Interned>(index: 0)
    /// The price in thousandths, where it fits; the greatest number where it doesn't.
    var shortPrice: UInt32 = 0
    /// The letters of the currency, 0 where there is none.
    var currency: UInt32 = 0
    var paymentName = OptionalName<Roles.Payment>()
    var nextName = OptionalName<Roles.Transaction>()

    /// What few transactions have; empty where there is nothing.
    var others: [UncommonFacts] = []
    var versions = StatedVersions()
    /// The line that it keys as an original, counted from 1; 0 where there is none.
    var lineIndex: UInt32 = 0
    /// The line that it is a period of, counted from 1; 0 where it is none.
    var memberOf: UInt32 = 0
    /// Where it is listed among what accounts hold; 0 where it isn't.
    var holder: UInt32 = 0

    /// Lines of the log, 0 where there is none: the first `queue.purchased`.
    public internal(set) var purchasedLine: LineNumber = 0
    /// The first `renewal.started` or `renewal.renewed`.
    public internal(set) var renewalLine: LineNumber = 0
    /// The latest `delivery.persisted`.
    public internal(set) var persistedLine: LineNumber = 0
    /// The latest `delivery.delivered`.
    public internal(set) var deliveredLine: LineNumber = 0
    /// The first `queue.finished`.
    public internal(set) var finishedLine: LineNumber = 0
    /// The latest `queue.removed`.
    public internal(set) var removedLine: LineNumber = 0
    /// The latest event of any type that names it.
    public internal(set) var namedLine: LineNumber = 0

    var saidKind = ProductKind.consumable
    var marks: Marks = []
    /// A quantity that fits; the greatest number for another one.
    var shortQuantity: UInt8 = 0, shortDeliveredInAll: UInt8 = 0

    /// What is true of it or isn't.
    struct Marks: OptionSet {
        let rawValue: UInt8
        static let isFamilyShared = Marks(rawValue: 1), isUpgraded = Marks(rawValue: 2)
        /// The environments in which it was stated.
        static let isStatedInSandbox = Marks(rawValue: 4), isStatedInXcode = Marks(rawValue: 8)
        static let isStatedInProduction = Marks(rawValue: 16)
        static let isRestDelivered = Marks(rawValue: 32)
        /// Whether the latest `delivery.persisted` was in the receipt.
        static let isPersistedInReceipt = Marks(rawValue: 64)
        /// Whether the purchase date that is known is that of a restore (G8.8).
        static let isDatedByRestore = Marks(rawValue: 128)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        /// That it was stated in an environment.
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

// What the App Store attests.
extension TransactionFacts {
    /// The product that was bought.
    public var product: ProductID<Interned>? { versions.has(.product) ? saidProduct : nil }
    /// The original that it names; absent: it is its own.
    public var original: TransactionID<Interned>? {
        versions.has(.original) ? saidOriginal : nil
    }
    /// How many were bought; 1 where no statement says (G3.1).
    public var quantity: Int64 { statedQuantity ?? 1 }
    /// How many were bought, where a statement says.
    var statedQuantity: Int64? {
        guard versions.has(.quantity) else { return nil }
        return shortQuantity == .max ? others[0].quantity : Int64(shortQuantity)
    }
    /// When it was purchased, or for a restored one restored (G8.8).
    public var purchasedAt: Timestamp? { versions.has(.purchasedAt) ? saidPurchasedAt : nil }
    /// When its original was purchased.
    public var originalPurchasedAt: Timestamp? {
        versions.has(.originalPurchasedAt) ? saidOriginalPurchasedAt : nil
    }
    /// When its period ends, lengthened where it was extended.
    public var expiresAt: Timestamp? { versions.has(.expiresAt) ? saidExpiresAt : nil }
    /// Whether it was bought or is shared by a family member.
    public var ownership: Ownership? {
        guard versions.has(.ownership) else { return nil }
        return marks.contains(.isFamilyShared) ? .familyShared : .purchased
    }
    /// Whether an upgrade took its place (G6.5).
    public var isUpgraded: Bool { marks.contains(.isUpgraded) }
    /// The product type that a receipt's row says.
    public var statedKind: ProductKind? { versions.has(.kind) ? saidKind : nil }
    /// The subscription group that a statement says.
    public var group: GroupID<Interned>? { versions.has(.group) ? saidGroup : nil }
    /// What was paid for the whole transaction.
    public var price: Price? {
        guard versions.has(.price) else { return nil }
        return Price(
            thousandths: shortPrice == .max ? others[0].thousandths : Int64(shortPrice),
            currency: Currency(stored: currency))
    }
    /// The account that the earliest statement of it names.
    public var account: AccountID<Interned>? { versions.has(.account) ? saidAccount : nil }

    /// The refund or revocation that is in force by what is known; an upgrade is none (G6.9).
    @inline(__always)
    public var refund: Refund? { versions.has(.refund) ? refundInForce : nil }

    private var refundInForce: Refund? {
        guard !isUpgraded, let cancelledAt else { return nil }
        return Refund(
            kind: refundKind, cancelledAt: cancelledAt,
            percent: versions.has(.refundPercent) ? others[0].refundPercent : nil)
    }

    /// The cancellation date in force by what is known, that of an upgrade too.
    public var cancelledAt: Timestamp? {
        guard versions.has(.refund), !others.isEmpty,
            case .taken(let cancelledAt) = others[0].refund
        else { return nil }
        return cancelledAt
    }

    /// The environment of its statements: of several production, else sandbox.
    public var environment: Environment? {
        if marks.contains(.isStatedInProduction) { return .production }
        if marks.contains(.isStatedInSandbox) { return .sandbox }
        return marks.contains(.isStatedInXcode) ? .xcode : nil
    }

    /// The earliest `at` of a statement of it.
    public var recordedAt: Timestamp? {
        earliestAt.milliseconds == .max ? nil : earliestAt
    }
    /// The payment that it came from.
    public internal(set) var payment: PaymentID<Interned>? {
        get { paymentName.value }
        set { paymentName.value = newValue }
    }
    /// The next transaction of its line, in the order in which they became known.
    var nextInLine: TransactionID<Interned>? {
        get { nextName.value }
        set { nextName.value = newValue }
    }
    /// The latest transaction that restores it.
    var restoredAs: TransactionID<Interned>? { others.isEmpty ? nil : others[0].restoredAs.value }
    /// Whether a statement of it was made in production (G9.3).
    public var isStatedInProduction: Bool { marks.contains(.isStatedInProduction) }
    /// Whether a statement of it was made in an environment.
    @inline(__always)
    func isStated(in environment: Environment) -> Bool { marks.contains(Marks(environment)) }
    /// Whether what is said of it in an environment counts: once it is stated in production,
    /// nothing does that is said of tests (G9.3).
    @inline(__always)
    func heeds(_ environment: Environment) -> Bool {
        environment == .production || !isStatedInProduction
    }
}

// Lines of the log, 0 where there is none, and what the app did.
extension TransactionFacts {
    /// Its first statement of any kind.
    public var statedLine: LineNumber {
        let lines = others.isEmpty ? (0, 0) : (others[0].restoredLine, others[0].listedLine)
        // Of 0 one less is the greatest number.
        let first = min(purchasedLine &- 1, renewalLine &- 1)
        return min(first, lines.0 &- 1, lines.1 &- 1) &+ 1
    }
    /// The latest `queue.purchased`.
    public var purchasedAgainLine: LineNumber {
        others.isEmpty || others[0].purchasedAgainLine == 0
            ? purchasedLine : others[0].purchasedAgainLine
    }
    /// The first `queue.restored`.
    public var restoredLine: LineNumber { others.isEmpty ? 0 : others[0].restoredLine }
    /// The latest `queue.restored`.
    public var restoredAgainLine: LineNumber { others.isEmpty ? 0 : others[0].restoredAgainLine }
    /// The first `receipt.listed`.
    public var listedLine: LineNumber { others.isEmpty ? 0 : others[0].listedLine }
    /// The latest `delivery.persisted` with the store `receipt`.
    public var persistedInReceiptLine: LineNumber {
        if marks.contains(.isPersistedInReceipt) { return persistedLine }
        return others.isEmpty ? 0 : others[0].persistedInReceiptLine
    }
    /// The first `delivery.delivered`.
    public var firstDeliveredLine: LineNumber {
        others.isEmpty || others[0].firstDeliveredLine == 0
            ? deliveredLine : others[0].firstDeliveredLine
    }
    /// The `delivery.delivered` before the latest.
    public var deliveredEarlierLine: LineNumber {
        others.isEmpty ? 0 : others[0].deliveredEarlierLine
    }
    /// The latest `delivery.withdrawn`.
    public var withdrawnLine: LineNumber { others.isEmpty ? 0 : others[0].withdrawnLine }
    /// The latest `queue.finished`.
    public var finishedAgainLine: LineNumber {
        others.isEmpty || others[0].finishedAgainLine == 0
            ? finishedLine : others[0].finishedAgainLine
    }
    /// The `queue.finished` before the latest.
    public var finishedEarlierLine: LineNumber {
        others.isEmpty ? 0 : others[0].finishedEarlierLine
    }
    /// The outcome of its latest validation (G4.19).
    public var validation: ValidationOutcome? { others.isEmpty ? nil : others[0].validation }
    /// The latest `delivery.validated`.
    public var validatedLine: LineNumber { others.isEmpty ? 0 : others[0].validatedLine }
    /// The latest `delivery.validated` with the outcome `valid`.
    public var validLine: LineNumber { others.isEmpty ? 0 : others[0].validLine }
    /// The latest `delivery.installed`.
    public var installedLine: LineNumber { others.isEmpty ? 0 : others[0].installedLine }
    /// The line at which the log first knew of the latest refund or revocation.
    public var refundedLine: LineNumber { others.isEmpty ? 0 : others[0].refundedLine }
    /// The first `delivery.download`.
    public var downloadLine: LineNumber { others.isEmpty ? 0 : others[0].downloadLine }
    /// The latest `delivery.download`.
    public var downloadedLine: LineNumber { others.isEmpty ? 0 : others[0].downloadedLine }
    /// How many were delivered before the latest delivery, since it was last withdrawn.
    public var deliveredBefore: Int64 { others.isEmpty ? 0 : others[0].deliveredBefore }
    /// How many were delivered in all, withdrawn ones too; saturates.
    public var deliveredInAll: Int64 {
        shortDeliveredInAll == .max ? others[0].deliveredInAll : Int64(shortDeliveredInAll)
    }
    /// How many the latest withdrawal took away.
    public var withdrawnQuantity: Int64 { others.isEmpty ? 0 : others[0].withdrawnQuantity }
    /// How many of its downloads have neither finished nor been cancelled.
    public var openDownloads: Int32 { others.isEmpty ? 0 : others[0].openDownloads }
    /// How many of its downloads have finished.
    public var finishedDownloads: Int32 { others.isEmpty ? 0 : others[0].finishedDownloads }
    /// The download that became known last.
    var lastDownload: DownloadID<Interned>? { others.isEmpty ? nil : others[0].lastDownload.value }
    /// The end that the app gave a non-renewing subscription (G1.4).
    public var until: Timestamp? { others.isEmpty ? nil : others[0].until }
    /// How often it was presented to the observer (G4.4).
    public var presentations: UInt32 {
        (isPurchased ? 1 : 0) &+ (others.isEmpty ? 0 : others[0].presentations)
    }

    /// Whether the queue said that it was purchased.
    public var isPurchased: Bool { purchasedLine != 0 }
    /// Whether the queue said that it was restored.
    public var isRestored: Bool { restoredLine != 0 }
    /// Whether it is delivered and has not been withdrawn since.
    public var isDelivered: Bool { deliveredLine > withdrawnLine }
    /// Whether it is finished.
    public var isFinished: Bool { finishedLine != 0 }
    /// Whether anything but a restore attests it, so that its dates open a period (G8.8).
    public var attestsPeriod: Bool { purchasedLine != 0 || renewalLine != 0 || listedLine != 0 }
    /// Whether nothing but a restore attests it, so that it falls with its original.
    var isOnlyRestored: Bool { isRestored && !attestsPeriod }

    /// How many were delivered since it was last withdrawn; saturates.
    ///
    /// A delivery of all the rest reaches whatever quantity the statements say, also one that
    /// becomes known later.
    public var deliveredQuantity: Int64 {
        let parts = others.isEmpty ? 0 : others[0].deliveredParts
        guard marks.contains(.isRestDelivered) else { return parts }
        let rest = max(parts.addingSaturating(1), quantity)
        return others.isEmpty ? rest : rest.addingSaturating(others[0].deliveredBeyond)
    }
}

/// What was paid for a transaction, in thousandths of a unit (G2.4).
public struct Price: Hashable, Sendable {
    /// Thousandths of the currency's unit, for the whole transaction.
    public var thousandths: Int64
    /// The currency; `nil` where the statement doesn't say.
    public var currency: Currency?
}

/// A refund or a revocation of a transaction (G6.9).
public struct Refund: Hashable, Sendable {
    /// Whether money was given back, or family sharing ended.
    public enum Kind: Hashable, Sendable { case refunded, revoked }
    /// Which of the two.
    public var kind: Kind
    /// From when the purchase counts as never made.
    public var cancelledAt: Timestamp
    /// The share refunded, in thousandths of a percent; `nil`: all.
    public var percent: Int64?

    /// All of it, in thousandths of a percent.
    public static let whole: Int64 = 100_000
}

/// What the statements say of a refund: taken, or taken back.
enum RefundState: Hashable, Sendable {
    case taken(cancelledAt: Timestamp)
    case reversed
}
