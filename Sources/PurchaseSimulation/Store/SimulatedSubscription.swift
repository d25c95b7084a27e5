import PurchaseEvents

/// A subscription: its current period, and its next renewal.
final class SimulatedSubscription {
    enum State {
        case active
        /// The renewal failed and the store retries; access continues until the end of a grace
        /// period.
        case retrying(graceUntil: Int64?)
        case ended
    }

    let original: TransactionID<Written>
    let originalPurchasedAt: Int64
    let group: GroupID<Written>?
    var product: Int
    var price: Int64
    var current: SimulatedPurchase
    /// The period before, if the store made the current one ahead.
    var currentBefore: SimulatedPurchase?
    /// The latest end of a period that another plan replaced without a statement about it.
    var unsaidEnd: Int64 = 0
    /// The account that the store goes on to name, if the subscription was moved to another.
    var firstAccount: AccountID<Written>?
    var start: Int64
    var expiry: Int64
    var state = State.active
    var renewsItself = true
    /// The plan from the next renewal on.
    var next: Int?
    /// The offer that the next renewal uses.
    var nextOffer: Offer?
    var hasPendingIncrease = false
    /// The price before a renewal without consent to the increase; reset at the next renewal.
    var priceBeforeRaise: Int64?
    var isRefunded = false
    var renewals = 0
    /// Whether the failed payment succeeds in the end.
    var recovers = false
    var retriesTooLong = false
    /// Whether the subscription ever was a monthly plan with a commitment.
    private(set) var wasMonthly: Bool
    /// Whether a renewal had a fault, whose finding names the owner at the end of the log.
    var hadFault = false
    /// Whether the current period continued into a grace period.
    var hadGrace = false
    /// A counter of periods; tasks planned for an earlier period have no effect.
    var version = 0
    /// The deliveries that weren't withdrawn.
    var grants: [SimulatedGrant] = []

    init(
        original: TransactionID<Written>, purchase: SimulatedPurchase, start: Int64, expiry: Int64
    ) {
        self.original = original
        originalPurchasedAt = start
        product = purchase.product
        group = purchase.item.group
        price = purchase.price
        current = purchase
        wasMonthly = purchase.terms.plan == .monthly
        (self.start, self.expiry) = (start, expiry)
    }

    /// The product on sale.
    var item: SimulatedProduct { SimulatedProduct.all[product] }

    var isEnded: Bool { if case .ended = state { true } else { false } }

    var isRetrying: Bool { if case .retrying = state { true } else { false } }

    /// Begins the period of a purchase.
    func begin(_ purchase: SimulatedPurchase, until end: Int64) {
        product = purchase.product
        next = nil
        current = purchase
        if purchase.terms.plan == .monthly { wasMonthly = true }
        start = purchase.purchasedAt
        expiry = end
        state = .active
        hadGrace = false
        renewals += 1
    }

    /// Whether the app may give access at a time: it knows the period and has delivered it.
    func isUsable(at instant: Int64) -> Bool {
        grantsAccess(at: instant) && current.presentations > 0
            && grants.contains { $0.product == product }
    }

    /// Adds a delivery; one of the current period replaces those of its product.
    func deliver(_ grant: SimulatedGrant, isCurrent: Bool) {
        if isCurrent { grants.removeAll { $0.product == product } }
        grants.add(grant)
    }

    func grantsAccess(at instant: Int64) -> Bool {
        switch state {
        case .active: instant < expiry
        case .retrying(let graceUntil): graceUntil.map { instant < $0 } ?? false
        case .ended: false
        }
    }
}
