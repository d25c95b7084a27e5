/// The open requests of one payment object: the state machine of the rule `lifecycle`.
///
/// ```
/// requested, purchasing ─▶ deferred ─▶ failed ─▶ (purchased)
/// ```
///
/// A request may skip states but never goes back. Requested and purchasing accept the same events,
/// so they share a count. The log does not say which request an event concerns: the machine prefers
/// a request that need not move, then the one closest to its end, so that it never refuses a later
/// event that another choice would accept.
struct OpenRequests: Sendable {
    enum Step { case purchasing, deferred, failed, purchased }

    /// The number of requests that are requested or purchasing.
    private var inProgress: UInt32 = 0
    /// Whether a request is deferred, and whether one has failed.
    private var deferred = false, failed = false
    /// Whether the log has named the payment.
    private var isKnown = false

    mutating func request() {
        isKnown = true
        inProgress &+= 1
    }

    /// Applies a queue event; `false`, without a change, if no open request accepts it.
    ///
    /// A payment that was never requested may begin in any state. Purchases are always accepted:
    /// another rule checks their number.
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

    /// Decrements a count; `false` if it is 0.
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
