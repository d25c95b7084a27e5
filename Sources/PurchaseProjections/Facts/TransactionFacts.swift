import PurchaseEvents

/// What a log says of one transaction: what the App Store attests, and what the app did, by line.
public struct TransactionFacts: Sendable {
    var productRegister = Register<ProductID<Interned>>()
    var originalRegister = Register<TransactionID<Interned>>()
    var quantityRegister = Register<Int64>()
    var purchasedAtRegister = Register<Timestamp>()
    var originalPurchasedAtRegister = Register<Timestamp>()
    var expiresAtRegister = Register<Timestamp>()
    var ownershipRegister = Register<Ownership>()
    var upgradedRegister = Register<Bool>()
    var kindRegister = Register<ProductKind>()
    var groupRegister = Register<GroupID<Interned>>()
    var priceRegister = Register<Price>()
    var refundRegister = Register<RefundState>()
    var refundKindRegister = Register<Refund.Kind>()
    var refundPercentRegister = Register<Int64>()
    var environmentRegister = Register<Environment>()
    var accountRegister = Register<AccountID<Interned>>()

    /// The product that was bought.
    public var product: ProductID<Interned>? { productRegister.value }
    /// The original that it names; absent: it is its own.
    public var original: TransactionID<Interned>? { originalRegister.value }
    /// How many were bought; 1 where no statement says (G3.1).
    public var quantity: Int64 { quantityRegister.value ?? 1 }
    /// When it was purchased, or for a restored one restored (G8.8).
    public var purchasedAt: Timestamp? { purchasedAtRegister.value }
    /// When its original was purchased.
    public var originalPurchasedAt: Timestamp? { originalPurchasedAtRegister.value }
    /// When its period ends, lengthened where it was extended.
    public var expiresAt: Timestamp? { expiresAtRegister.value }
    /// Whether it was bought or is shared by a family member.
    public var ownership: Ownership? { ownershipRegister.value }
    /// Whether an upgrade took its place (G6.5).
    public var isUpgraded: Bool { upgradedRegister.value ?? false }
    /// The product type that a receipt's row says.
    public var statedKind: ProductKind? { kindRegister.value }
    /// The subscription group that a statement says.
    public var group: GroupID<Interned>? { groupRegister.value }
    /// What was paid for the whole transaction.
    public var price: Price? { priceRegister.value }
    /// The account that the earliest statement of it names.
    public var account: AccountID<Interned>? { accountRegister.value }

    /// The refund or revocation that is in force by what is known; an upgrade is none (G6.9).
    public var refund: Refund? {
        guard !isUpgraded, let cancelledAt else { return nil }
        let kind: Refund.Kind = ownership == .familyShared ? .revoked : .refunded
        return Refund(
            kind: refundKindRegister.value ?? kind, cancelledAt: cancelledAt,
            percent: refundPercentRegister.value)
    }

    /// The cancellation date in force by what is known, that of an upgrade too.
    public var cancelledAt: Timestamp? {
        guard case .taken(let cancelledAt) = refundRegister.value else { return nil }
        return cancelledAt
    }

    /// The environment of its statements; of several, that of the one with the least version.
    public var environment: Environment? { environmentRegister.value }

    /// The earliest `at` of a statement of it.
    public var recordedAt: Timestamp?
    /// The payment that it came from.
    public var payment: PaymentID<Interned>?
    /// The outcome of its latest validation (G4.19).
    public var validation: ValidationOutcome?

    /// Lines of the log, 0 where there is none: its first statement of any kind.
    public var statedLine: LineNumber = 0
    /// The first and the latest `queue.purchased`, 0 where there is none.
    public var purchasedLine: LineNumber = 0, purchasedAgainLine: LineNumber = 0
    /// The first and the latest `queue.restored`, 0 where there is none.
    public var restoredLine: LineNumber = 0, restoredAgainLine: LineNumber = 0
    /// The first `receipt.listed`, and the first `renewal.started` or `renewal.renewed`.
    public var listedLine: LineNumber = 0, renewalLine: LineNumber = 0
    /// The latest `delivery.persisted`, and the latest with the store `receipt`.
    public var persistedLine: LineNumber = 0, persistedInReceiptLine: LineNumber = 0
    /// The first and the latest `delivery.delivered`, and the latest `delivery.withdrawn`.
    public var firstDeliveredLine: LineNumber = 0, deliveredLine: LineNumber = 0
    /// The `delivery.delivered` before the latest, 0 where there is none.
    public var deliveredEarlierLine: LineNumber = 0
    /// The latest `delivery.withdrawn`.
    public var withdrawnLine: LineNumber = 0
    /// The first and the latest `queue.finished`, and the latest `queue.removed`.
    public var finishedLine: LineNumber = 0, finishedAgainLine: LineNumber = 0
    /// The `queue.finished` before the latest, 0 where there is none.
    public var finishedEarlierLine: LineNumber = 0
    /// The latest `queue.removed`.
    public var removedLine: LineNumber = 0
    /// The latest `delivery.validated`.
    public var validatedLine: LineNumber = 0
    /// The latest `delivery.validated` with the outcome `valid`.
    public var validLine: LineNumber = 0
    /// The latest `delivery.installed`.
    public var installedLine: LineNumber = 0
    /// The line at which the log first knew of the latest refund or revocation.
    public var refundedLine: LineNumber = 0
    /// The line at which a `cancellation.reversed` last took a refund back.
    public var reversedLine: LineNumber = 0
    /// The first and the latest `delivery.download`.
    public var downloadLine: LineNumber = 0, downloadedLine: LineNumber = 0
    /// The latest event of any type that names it.
    public var namedLine: LineNumber = 0

    /// Deliveries since the last withdrawal: with a quantity before one of all the rest, whether
    /// there was one, and what was delivered after it.
    var deliveredParts: Int64 = 0, isRestDelivered = false, deliveredBeyond: Int64 = 0
    /// How many were delivered before the latest delivery, since it was last withdrawn.
    public var deliveredBefore: Int64 = 0
    /// How many were delivered in all, withdrawn ones too; saturates.
    public var deliveredInAll: Int64 = 0
    /// How many the latest withdrawal took away.
    public var withdrawnQuantity: Int64 = 0
    /// How many of its downloads have neither finished nor been cancelled.
    public var openDownloads: Int32 = 0
    /// How many of its downloads have finished.
    public var finishedDownloads: Int32 = 0
    /// The download that became known last.
    var lastDownload: DownloadID<Interned>?
    /// The end that the app gave a non-renewing subscription (G1.4).
    public var until: Timestamp?
    /// How often it was presented to the observer (G4.4).
    public var presentations: UInt32 = 0
    /// The next transaction of its line, in the order in which they became known.
    var nextInLine: TransactionID<Interned>?
    /// The line that it keys as an original, counted from 1; 0 where there is none.
    var lineIndex: UInt32 = 0
    /// The line that it is a period of, counted from 1; 0 where it is none.
    var memberOf: UInt32 = 0
    /// Where it is listed among what accounts hold; 0 where it isn't.
    var holder: UInt32 = 0
    /// The latest transaction that restores it.
    var restoredAs: TransactionID<Interned>?
    /// Whether a statement of it was made in production (G9.3).
    public var isStatedInProduction = false

    /// Whether the queue said that it was purchased.
    public var isPurchased: Bool { purchasedLine != 0 }
    /// Whether the queue said that it was restored.
    public var isRestored: Bool { restoredLine != 0 }
    /// Whether it is delivered and has not been withdrawn since.
    public var isDelivered: Bool { deliveredLine > withdrawnLine }
    /// Whether it is finished.
    public var isFinished: Bool { finishedLine != 0 }
    /// Whether anything but a restore attests it, so that its dates open a period (G8.8).
    public var attestsPeriod: Bool { purchasedLine != 0 || listedLine != 0 || renewalLine != 0 }
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
