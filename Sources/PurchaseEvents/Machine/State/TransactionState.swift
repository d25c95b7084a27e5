/// The state of one transaction: its phase, what the App Store attests, and what the app did.
///
/// The state contains only what later decisions need, and doesn't grow with its history. The
/// downloads, which only an unfinished transaction needs, are stored in ``PurchaseState`` and
/// removed after the finish.
public struct TransactionState<S: Spelling>: Hashable, Sendable {
    /// The phase of the transaction.
    public internal(set) var phase = TransactionPhase.unseen

    var productStated = StatedValue<ProductID<S>>()
    var originalStated = StatedValue<TransactionID<S>>()
    var quantityStated = StatedValue<Int64>()
    var purchasedAtStated = StatedValue<Timestamp>()
    var expiresAtStated = StatedValue<Timestamp>()
    var upgradedStated = StatedValue<Bool>()
    var refundStated = StatedValue<StatedRefund>()
    /// The refunded share in thousandths of a percent; without a value, all is refunded.
    var refundedShare = StatedValue<Int64>()
    var groupStated = StatedValue<GroupID<S>>()
    var kindStated = StatedValue<ProductKind>()
    var accountStated = StatedValue<AccountID<S>>()
    /// The account in the earliest refund, revocation or reversal that names one.
    var cancellationAccount = StatedValue<AccountID<S>>()

    /// The payment object of the transaction.
    public internal(set) var payment: PaymentID<S>?
    /// The outcome of the latest validation (G4.19).
    public internal(set) var validation: ValidationOutcome?
    /// The account that restored the transaction, if stated (G8.6).
    public internal(set) var restorer: AccountID<S>?
    /// The end that the app set for a non-renewing subscription (G1.4).
    public internal(set) var until: Timestamp?
    /// The units delivered since the last withdrawal (G3.1); saturates.
    public internal(set) var deliveredQuantity: Int64 = 0

    /// Whether a statement of the queue, a receipt or a renewal says that the transaction was paid
    /// for.
    public internal(set) var isPaid = false
    /// The environments of the statements (G9.3).
    var environments = Environments()
    /// Whether the purchase date is the date of a restore (G8.8).
    var isDatedByRestore = false
    /// Whether the dates open a period; the dates of a restore don't (G8.8).
    var opensPeriod = false
    /// Whether a receipt lists the transaction.
    public internal(set) var isListed = false
    /// Whether the transaction was persisted (G4.7).
    public internal(set) var isPersisted = false
    /// Whether the receipt itself persists the transaction (G4.11).
    var isPersistedInReceipt = false
    /// Whether the transaction was delivered and not withdrawn since.
    public internal(set) var isDelivered = false
    /// Whether the transaction was ever delivered.
    public internal(set) var wasDelivered = false
    /// Whether access was ever withdrawn.
    public internal(set) var wasWithdrawn = false
    /// Whether the transaction was finished after a refund and before any delivery.
    var wasFinishedRefunded = false
    /// Whether the transaction ever had a download (G4.16).
    public internal(set) var hadDownloads = false
    var subscription: TransactionID<S>?
    /// The device and launch that presented the transaction last.
    var presentation: Presentation<S>?

    /// The product that was bought.
    public var product: ProductID<S>? { productStated.value }
    /// The original that the transaction names; `nil` if it is its own original.
    public var original: TransactionID<S>? { originalStated.value }
    /// The number of units bought; 1 if no statement says (G3.1).
    public var quantity: Int64 { quantityStated.value ?? 1 }
    /// The time of the purchase, or of the restore for a restored transaction (G8.8).
    public var purchasedAt: Timestamp? { purchasedAtStated.value }
    /// The end of the period, including an extension of this transaction.
    public var expiresAt: Timestamp? { expiresAtStated.value }
    /// Whether an upgrade replaced the transaction (G6.5).
    public var isUpgraded: Bool { upgradedStated.value ?? false }
    /// The account that the earliest statement names.
    public var account: AccountID<S>? { accountStated.value }
    /// The environment of the statements: production before sandbox before xcode (G9.3).
    public var environment: Environment? { environments.first }
    /// Whether a statement in an environment attests the transaction (G9.3).
    func isAttested(in environment: Environment) -> Bool {
        environments.contains(Environments(environment))
    }
    /// Whether statements in an environment count; after one in production, statements in tests
    /// don't (G9.3).
    func accepts(_ environment: Environment) -> Bool {
        environment == .production || !isAttested(in: .production)
    }
    /// Whether the transaction is known to be refunded or revoked; an upgrade is neither (G6.9).
    public var isRefunded: Bool {
        if case .taken = refundStated.value { !isUpgraded } else { false }
    }
    /// The time from which the purchase counts as never made, or as replaced by an upgrade.
    var cancelledAt: Timestamp? {
        if case .taken(let instant) = refundStated.value { instant } else { nil }
    }
    /// The units that stay paid for if only a part of the transaction is refunded, else `nil`.
    var unitsKept: Int64? {
        guard isRefunded else { return nil }
        return RefundedShare.unitsKept(of: quantity, without: refundedShare.value)
    }
    /// The number of units still to deliver; none after a withdrawal that settled a refund of a
    /// part.
    public var undeliveredQuantity: Int64 {
        if unitsKept != nil, wasWithdrawn { return 0 }
        return max(0, (unitsKept ?? quantity).subtractingSaturating(deliveredQuantity))
    }
}

enum StatedRefund: BitwiseCopyable, Hashable, Sendable {
    /// Refunded or revoked: from this time the purchase counts as never made (G6.9).
    case taken(Timestamp)
    case reversed
}

/// A presentation of a queue entry to the observer: the device and its launch (G4.4).
struct Presentation<S: Spelling>: Hashable, Sendable {
    var device: DeviceID<S>?
    var launch: UInt32
}

extension TransactionState: BitwiseCopyable where S.Name: BitwiseCopyable {}
extension Presentation: BitwiseCopyable where S.Name: BitwiseCopyable {}
