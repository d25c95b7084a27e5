import PurchaseEvents

/// A subscription line: its current period, and what the store will do with it.
final class SimulatedLine {
    enum State {
        case active
        /// The renewal failed; the store still tries. Access goes on until the grace period's end.
        case retrying(graceUntil: Int64?)
        case ended
    }

    let original: TransactionID<Simulated>
    let originalPurchasedAt: Int64
    let group: GroupID<Simulated>?
    var product: Int
    var price: Int64
    /// The purchase of the current period.
    var current: SimulatedPurchase
    var start: Int64
    var expiry: Int64
    var state = State.active
    var renewsItself = true
    /// The plan after the next renewal.
    var next: Int?
    var hasPendingIncrease = false
    /// What it cost before a renewal at a price that nobody agreed to, until the next renewal.
    var priceBeforeRaise: Int64?
    var isRefunded = false
    var renewals = 0
    /// Whether a payment that fails comes through in the end.
    var recovers = false
    var retriesTooLong = false
    /// Whether the current period went on into a grace period.
    var hadGrace = false
    /// Counts the periods, so that what was planned for an earlier one comes to nothing.
    var version = 0
    /// What was delivered and not withdrawn.
    var grants: [SimulatedGrant] = []

    init(
        original: TransactionID<Simulated>, purchase: SimulatedPurchase, start: Int64, expiry: Int64
    ) {
        self.original = original
        originalPurchasedAt = start
        product = purchase.product
        group = SimulatedProduct.all[purchase.product].group
        price = purchase.price
        current = purchase
        self.start = start
        self.expiry = expiry
    }

    var isEnded: Bool {
        switch state {
        case .ended: true
        case .active, .retrying: false
        }
    }

    /// Whether the app may give access at an instant: it heard of the period, and delivered it.
    func isUsable(at instant: Int64) -> Bool {
        grantsAccess(at: instant) && current.presentations > 0
            && grants.contains { $0.product == product }
    }

    /// Whether the subscriber has access at an instant.
    func grantsAccess(at instant: Int64) -> Bool {
        switch state {
        case .active: instant < expiry
        case .retrying(let graceUntil): graceUntil.map { instant < $0 } ?? false
        case .ended: false
        }
    }
}
