/// The state of one payment object: the phases of its requests, and the account that made them
/// (G3.2).
public struct PaymentState<S: Spelling>: Hashable, Sendable {
    /// The number of requests in each open phase; the counters saturate.
    private var requested: UInt32 = 0, purchasing: UInt32 = 0
    private var deferred: UInt32 = 0, failed: UInt32 = 0
    /// Whether the payment was requested, or the queue named it.
    private var isSeen = false
    /// Whether the latest event left a request waiting for its outcome.
    private var isWaiting = false

    /// The number of requests; saturates.
    public internal(set) var requests: UInt32 = 0
    /// The number of failures that the app must still finish (G4.8), at most the number of
    /// requests.
    public internal(set) var unfinishedFailures: UInt32 = 0
    /// The requesting account: the first that an event names.
    public internal(set) var account: AccountID<S>?
    /// The requested product.
    public internal(set) var product: ProductID<S>?
    /// The device and launch that presented the latest failure.
    var presentation: Presentation<S>?
    /// The latest transaction of this payment, until a finish that names the payment.
    private(set) var purchase: TransactionID<S>?

    /// The transaction that a finish of this payment finishes, or `nil` while a failure is
    /// unfinished or a request waits.
    var finishedPurchase: TransactionID<S>? { unfinishedFailures > 0 || isWaiting ? nil : purchase }

    /// The phase of the least advanced request.
    public var phase: PaymentPhase {
        if !isSeen { return .unseen }
        return PaymentPhase.open.last { self[$0] > 0 } ?? .purchased
    }

    /// The number of open requests in a phase, 0 in a phase that isn't open.
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

    /// Whether no request can take a step, so that the rule `lifecycle` reports the step.
    public func forbids(_ step: PaymentStep) -> Bool { phase(of: step)?.after(step) == nil }

    /// The phase of the request that takes a step: of those that can, the one with the fewest other
    /// steps, because any other choice could forbid a later step.
    private func phase(of step: PaymentStep) -> PaymentPhase? {
        if !isSeen { return .unseen }
        return PaymentPhase.open.first { self[$0] > 0 && $0.after(step) != nil }
            ?? (PaymentPhase.purchased.after(step) == nil ? nil : .purchased)
    }

    mutating func apply(_ step: PaymentStep) {
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
            guard let phase = phase(of: step), let next = phase.after(step) else { return }
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

    mutating func presentPurchase(_ transaction: TransactionID<S>) {
        purchase = transaction
        isWaiting = false
    }

    /// Counts a failure, anew after a launch or on another device, because the queue presents
    /// unfinished failures again.
    mutating func presentFailure(_ presentation: Presentation<S>) {
        if self.presentation != presentation { unfinishedFailures = 0 }
        self.presentation = presentation
        unfinishedFailures.addSaturating(1)
        unfinishedFailures = min(unfinishedFailures, max(requests, 1))
    }
}

extension PaymentState: BitwiseCopyable where S.Name: BitwiseCopyable {}
