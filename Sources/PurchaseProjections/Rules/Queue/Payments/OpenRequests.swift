/// How the open requests of one payment object stand: the small machine of the rule `lifecycle`.
///
/// ```
/// requested, purchasing ─▶ deferred ─▶ failed ─▶ (purchased)
/// ```
///
/// A request may skip what lies between and never goes back. Requested and purchasing can take
/// the same events, so they are counted as one. Which request an event is of, the log doesn't
/// say: one that needn't move for it is preferred, then the one that can take least, so that no
/// later event is refused that another choice would allow.
struct OpenRequests: Sendable {
    /// What the queue says of a payment.
    enum Step { case purchasing, deferred, failed, purchased }

    /// How many are requested or purchasing.
    private var inProgress: UInt32 = 0
    /// Whether one is deferred, and whether one has failed.
    private var deferred = false, failed = false
    /// Whether the log has named the payment.
    private var isKnown = false

    /// Opens a request.
    mutating func request() {
        isKnown = true
        inProgress &+= 1
    }

    /// Takes what the queue says; `false` where no open request can, and nothing changes.
    ///
    /// A payment that was never requested may begin anywhere. A purchase is always taken: how
    /// many there may be is the business of another rule.
    mutating func take(_ step: Step) -> Bool {
        guard isKnown else {
            begin(step)
            return true
        }
        switch step {
        case .purchasing:
            return inProgress > 0
        case .deferred:
            if deferred { return true }
            guard OpenRequests.close(&inProgress) else { return false }
            deferred = true
        case .failed:
            if failed { return true }
            guard OpenRequests.close(&deferred) || OpenRequests.close(&inProgress) else {
                return false
            }
            failed = true
        case .purchased:
            _ =
                OpenRequests.close(&failed) || OpenRequests.close(&deferred)
                || OpenRequests.close(&inProgress)
        }
        return true
    }

    private mutating func begin(_ step: Step) {
        isKnown = true
        switch step {
        case .purchasing: inProgress = 1
        case .deferred: deferred = true
        case .failed: failed = true
        case .purchased: break
        }
    }

    /// Takes one away, where there is one.
    private static func close(_ count: inout UInt32) -> Bool {
        guard count > 0 else { return false }
        count &-= 1
        return true
    }

    private static func close(_ isOpen: inout Bool) -> Bool {
        defer { isOpen = false }
        return isOpen
    }
}
