/// What is known of one transaction: its phase, what the App Store attests, what the app did.
///
/// It holds no more than later decisions need, and nothing grows with its history: what only an
/// unfinished transaction needs (its downloads) lies in ``PurchaseState`` and goes with its finish.
public struct TransactionState<S: Spelling>: Hashable, Sendable {
    /// Where it stands.
    public internal(set) var phase = TransactionPhase.unseen

    var productStated = StatedValue<ProductID<S>>()
    var originalStated = StatedValue<TransactionID<S>>()
    var quantityStated = StatedValue<Int64>()
    var purchasedAtStated = StatedValue<Timestamp>()
    var expiresAtStated = StatedValue<Timestamp>()
    var upgradedStated = StatedValue<Bool>()
    var refundStated = StatedValue<Refund>()
    var groupStated = StatedValue<GroupID<S>>()
    var kindStated = StatedValue<ProductKind>()
    var accountStated = StatedValue<AccountID<S>>()

    /// The payment object that it came from.
    public internal(set) var payment: PaymentID<S>?
    /// What its latest validation found (G4.19).
    public internal(set) var validation: ValidationOutcome?
    /// The account that restored it, where one is said (G8.6).
    public internal(set) var restorer: AccountID<S>?
    /// The end that the app gave a non-renewing subscription (G1.4).
    public internal(set) var until: Timestamp?
    /// How many were delivered since access was last withdrawn (G3.1); saturates.
    public internal(set) var deliveredQuantity: Int64 = 0

    /// Whether a statement says that it was paid for: the queue's, a receipt's, a renewal's.
    public internal(set) var isPaid = false
    /// The environments of its statements (G9.3).
    var environments = Environments()
    /// Whether its purchase date is that of a restore (G8.8).
    var isDatedByRestore = false
    /// Whether its dates open a period: a restore's don't (G8.8).
    var opensPeriod = false
    /// Whether a receipt lists it.
    public internal(set) var isListed = false
    /// Whether it was persisted (G4.7).
    public internal(set) var isPersisted = false
    /// Whether it was persisted by the receipt (G4.11).
    var isPersistedInReceipt = false
    /// Whether it was delivered and not withdrawn since.
    public internal(set) var isDelivered = false
    /// Whether it was ever delivered.
    public internal(set) var wasDelivered = false
    /// Whether access was ever withdrawn.
    public internal(set) var wasWithdrawn = false
    /// Whether it ever had a download (G4.16).
    public internal(set) var hadDownloads = false
    /// The line that it was put into.
    var line: TransactionID<S>?
    /// The device that presented it last, and at which launch of it.
    var presentation: Presentation<S>?

    /// The product that was bought.
    public var product: ProductID<S>? { productStated.value }
    /// The original that it names; absent: it is its own.
    public var original: TransactionID<S>? { originalStated.value }
    /// How many were bought; 1 where no statement says (G3.1).
    public var quantity: Int64 { quantityStated.value ?? 1 }
    /// When it was purchased, or for a restored one restored (G8.8).
    public var purchasedAt: Timestamp? { purchasedAtStated.value }
    /// When its period ends, lengthened where it was extended.
    public var expiresAt: Timestamp? { expiresAtStated.value }
    /// Whether an upgrade took its place (G6.5).
    public var isUpgraded: Bool { upgradedStated.value ?? false }
    /// The account that its earliest statement names.
    public var account: AccountID<S>? { accountStated.value }
    /// The environment of its statements: of several production, else sandbox (G9.3).
    public var environment: Environment? { environments.first }
    /// Whether a statement of an environment attests it (G9.3).
    func isAttested(in environment: Environment) -> Bool {
        environments.contains(Environments(environment))
    }
    /// Whether what is said of it in an environment counts: once it is stated in production,
    /// nothing does that is said of tests (G9.3).
    func heeds(_ environment: Environment) -> Bool {
        environment == .production || !isAttested(in: .production)
    }
    /// Whether it is refunded or revoked by what is known; an upgrade is neither (G6.9).
    public var isRefunded: Bool {
        switch refundStated.value {
        case .taken: !isUpgraded
        case .reversed, nil: false
        }
    }
    /// From when it counts as never bought, or as replaced where it is upgraded.
    var cancelledAt: Timestamp? {
        guard case .taken(let instant) = refundStated.value else { return nil }
        return instant
    }
    /// How many are still to be delivered.
    public var undeliveredQuantity: Int64 {
        max(0, quantity.subtractingSaturating(deliveredQuantity))
    }
}

/// What the statements say of a refund: taken, or taken back.
enum Refund: Hashable, Sendable {
    /// Refunded or revoked: from this instant the purchase counts as never made (G6.9).
    case taken(Timestamp)
    /// The refund was taken back.
    case reversed
}

/// One presentation of an entry to the observer: a device, and a launch of it (G4.4).
struct Presentation<S: Spelling>: Hashable, Sendable {
    var device: DeviceID<S>?
    var launch: UInt32
}
