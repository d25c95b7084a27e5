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
    var isRefunded = false
    var renewals = 0
    /// Whether a payment that fails comes through in the end.
    var recovers = false
    var retriesTooLong = false
    /// The end of the last grace period, which grants access whatever is refunded meanwhile.
    var lastGrace: Int64 = .min
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

    /// Whether the subscriber has access at an instant.
    func grantsAccess(at instant: Int64) -> Bool {
        switch state {
        case .active: instant < expiry
        case .retrying(let graceUntil): graceUntil.map { instant < $0 } ?? false
        case .ended: false
        }
    }
}
