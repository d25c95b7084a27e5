import PurchaseEvents

/// A subscription as the App Store knows it at some time.
struct StoreSubscription: Sendable {
    /// How the latest renewal went.
    enum State: Sendable {
        /// Paid, or not yet due.
        case running
        /// The payment failed and the store tries again.
        case retrying
        case expired(ExpirationReason)
    }

    let original: String
    /// The transaction of the latest period.
    var current: String
    var product: String
    var group: String?
    var environment: Environment
    var account: String?
    /// The plan from the next renewal on, if it isn't the present one.
    var next: String?
    var renews = true
    var renewsCommitment: Bool?
    var consent: PriceConsent?
    var state = State.running
    /// The end of the grace period after the latest failed payment.
    var graceUntil: Timestamp?
    /// When the subscriber last began without a gap.
    var startedAt: Timestamp

    init(_ transaction: StoreTransaction) {
        original = transaction.original
        current = transaction.id
        product = transaction.product
        group = transaction.group
        environment = transaction.environment
        account = transaction.account
        startedAt = transaction.purchasedAt
        renewsCommitment = transaction.terms.of == nil ? nil : true
    }

    /// Whether the subscription is over, so that a purchase begins it anew.
    func isOver(_ current: StoreTransaction) -> Bool {
        if case .expired = state { return true }
        return current.isCancelled
    }

    /// The status by the numbers of the App Store (appstore.md, 2.2).
    func status(_ current: StoreTransaction, at instant: Timestamp) -> Int64 {
        if current.isCancelled { return 5 }
        switch state {
        case .running: return 1
        case .retrying: return graceUntil.map { instant < $0 } == true ? 4 : 3
        case .expired: return 2
        }
    }

    mutating func begin(_ transaction: StoreTransaction) {
        current = transaction.id
        product = transaction.product
        account = transaction.account ?? account
        if !transaction.isRenewal { startedAt = transaction.purchasedAt }
        (next, consent, graceUntil) = (nil, nil, nil)
        (renews, state) = (true, .running)
        if transaction.terms.of == nil {
            renewsCommitment = nil
        } else if transaction.terms.number == 1 || renewsCommitment == nil {
            renewsCommitment = true
        }
    }
}
