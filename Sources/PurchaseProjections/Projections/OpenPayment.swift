import PurchaseEvents

/// A payment that has no transaction yet.
struct OpenPayment: Sendable {
    /// The number of requests neither purchased nor finished; 0 if the log shows no request.
    var open = 0
    /// The latest queue state of a waiting request, and of an unfinished failed one.
    private var waiting: QueueState?, failure: QueueState?
    /// The type of the latest queue event of an open request.
    private var latest: EventType?

    /// Whether the payment is deferred or interrupted, so that a purchase without a payment may
    /// answer it.
    private(set) var isUnanswered = false

    /// A state reported by the queue, since when, and how often in a row.
    struct QueueState: Sendable {
        var type: EventType
        var since: Timestamp
        var count: Int64 = 1

        var step: Pending.Step { type == .queueFailed ? .showError : .wait }
    }

    /// The state to show: the latest reported; `nil` before the queue's first event.
    var queueState: QueueState? { latest == .queueFailed ? failure ?? waiting : waiting ?? failure }

    /// Records a queue event: for a single request the latest event counts; with several requests,
    /// one may wait while another has failed.
    mutating func enter(_ event: LogEvent) {
        let isFailure = event.type == .queueFailed
        var new = QueueState(type: event.type, since: event.at)
        if latest == event.type, let queueState {
            new.since = queueState.since
            new.count = queueState.count + 1
        }
        latest = event.type
        isUnanswered = event.type == .queueDeferred || event.isInterruption
        if isFailure {
            failure = new
            if open < 2 { waiting = nil }
        } else {
            waiting = new
            if open < 2 { failure = nil }
        }
    }

    /// Records a purchase, usually of a waiting request; returns whether another request is still
    /// open.
    mutating func purchase() -> Bool {
        guard remove() else { return false }
        if open == 1, failure != nil {
            waiting = nil
            latest = .queueFailed
        }
        return true
    }

    /// Records a purchase that names no payment, of the request whose state is the latest; returns
    /// whether another request is still open.
    mutating func answer() -> Bool {
        guard latest == .queueFailed else { return purchase() }
        guard remove() else { return false }
        forgetFailure()
        return true
    }

    /// Records a finish that leaves `failures` unfinished; returns whether another request is still
    /// open.
    mutating func finish(leaving failures: UInt8) -> Bool {
        guard remove() else { return false }
        if failure != nil, failures == 0 || (open == 1 && waiting != nil) {
            forgetFailure()
        }
        return true
    }

    private mutating func forgetFailure() {
        failure = nil
        latest = waiting?.type
        isUnanswered = latest == .queueDeferred
    }

    /// Records that a request left the queue; returns whether another request is still open.
    mutating func remove() -> Bool {
        guard open > 1 else { return false }
        open -= 1
        return true
    }
}
