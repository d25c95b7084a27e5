import Dispatch

/// Wakes the one thread that waits for it, once.
final class Bell: @unchecked Sendable {
    /// What the thread is told.
    enum Call: Sendable {
        case answered(CommitQueue.Answer)
        /// To lead the next round, its own request with it.
        case leads
    }

    private let rings = DispatchSemaphore(value: 0)
    /// Written before the semaphore is signalled, and read behind it.
    private var rung: Call?

    func ring(_ call: Call) {
        rung = call
        rings.signal()
    }

    func wait() -> Call {
        rings.wait()
        guard let rung else { preconditionFailure("a bell is rung with a call") }
        return rung
    }
}
