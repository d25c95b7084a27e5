/// What is known of one payment object: how its requests stand, and whose they are (G3.2).
public struct PaymentState<S: Spelling>: Hashable, Sendable {
    /// How many requests are in each open phase; saturate.
    private var requested: UInt32 = 0, purchasing: UInt32 = 0
    private var deferred: UInt32 = 0, failed: UInt32 = 0
    /// Whether it was requested, or the queue spoke of it.
    private var isSeen = false
    /// Whether a request that isn't at its end is what was said of it last.
    private var isWaiting = false

    /// How often it was requested; saturates.
    public internal(set) var requests: UInt32 = 0
    /// How many failures the app has still to finish (G4.8), never more than requests.
    public internal(set) var unfinishedFailures: UInt32 = 0
    /// The account that asked, by the first event that names one.
    public internal(set) var account: AccountID<S>?
    /// The product that was asked for.
    public internal(set) var product: ProductID<S>?
    /// The device that presented a failure last, and at which launch of it.
    var presentation: Presentation<S>?
    /// The transaction that it was purchased as last, until a finish that names the payment.
    private var purchase: TransactionID<S>?

    /// The transaction that a finish that names the payment finishes: a failure comes first, and
    /// a request that waits can't be finished.
    var finishedPurchase: TransactionID<S>? {
        unfinishedFailures > 0 || isWaiting ? nil : purchase
    }

    /// The phase of the request from which most is still to come; of several the least advanced.
    public var phase: PaymentPhase {
        if !isSeen { return .unseen }
        return PaymentPhase.open.last { self[$0] > 0 } ?? .purchased
    }

    /// The number of open requests in a phase; none in a phase that isn't open.
    public internal(set) subscript(phase: PaymentPhase) -> UInt32 {
        get {
            switch phase {
            case .requested: requested
            case .purchasing: purchasing
            case .deferred: deferred
            case .failed: failed
            case .unseen, .purchased: 0
            }
        }
        set {
            switch phase {
            case .requested: requested = newValue
            case .purchasing: purchasing = newValue
            case .deferred: deferred = newValue
            case .failed: failed = newValue
            case .unseen, .purchased: break
            }
        }
    }

    /// Whether no request of it can take a step, so that the rule `lifecycle` reports it.
    public func forbids(_ step: PaymentStep) -> Bool {
        taker(of: step)?.after(step) == nil
    }

    /// The phase of the request that takes a step: of those that can, the one that can take
    /// fewest other steps, so that no later step is forbidden that some other choice allows.
    private func taker(of step: PaymentStep) -> PaymentPhase? {
        if !isSeen { return .unseen }
        return PaymentPhase.open.first { self[$0] > 0 && $0.after(step) != nil }
            ?? (PaymentPhase.purchased.after(step) == nil ? nil : .purchased)
    }

    /// Takes a step that isn't forbidden.
    mutating func take(_ step: PaymentStep) {
        switch step {
        case .requested, .purchasing, .deferred: isWaiting = true
        case .failed, .purchased: isWaiting = false
        case .finished, .removed: break
        }
        switch step {
        case .requested:
            isSeen = true
            requested.addSaturating(1)
            requests.addSaturating(1)
        case .purchasing, .deferred, .failed, .purchased:
            guard let phase = taker(of: step), let next = phase.after(step) else { return }
            isSeen = true
            guard phase != next else { return }
            if self[phase] > 0 { self[phase] -= 1 }
            self[next].addSaturating(1)
        case .finished:
            if unfinishedFailures > 0 {
                unfinishedFailures -= 1
            } else if !isWaiting {
                purchase = nil
            }
        case .removed: break
        }
    }

    /// Notes the transaction that it was purchased as, each time that it is presented.
    mutating func presentPurchase(_ transaction: TransactionID<S>) {
        purchase = transaction
        isWaiting = false
    }

    /// Counts a failure that is presented: the first after a launch may be one heard before.
    mutating func presentFailure(_ presentation: Presentation<S>) {
        if self.presentation != presentation { unfinishedFailures = 0 }
        self.presentation = presentation
        unfinishedFailures.addSaturating(1)
        unfinishedFailures = min(unfinishedFailures, max(requests, 1))
    }
}
