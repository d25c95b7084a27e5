import Dispatch

/// Blocks one thread until another one wakes it, once.
final class Bell: @unchecked Sendable {
    /// Why the thread was woken.
    enum Call: Sendable {
        case answered(CommitQueue.Answer)
        /// The thread leads the next round, which includes its own request.
        case leads
    }

    private let rings = DispatchSemaphore(value: 0)
    /// Written before the semaphore is signalled, and read after the wait.
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
