import Dispatch

/// Blocks one thread until another thread wakes it, once.
final class WakeupSignal: @unchecked Sendable {
    enum Reason: Sendable {
        case answered(CommitQueue.Answer)
        /// The thread leads the next round, which includes its own request.
        case leads
    }

    private let semaphore = DispatchSemaphore(value: 0)
    /// Written before the semaphore is signalled, and read after the wait.
    private var reason: Reason?

    func wake(_ reason: Reason) {
        self.reason = reason
        semaphore.signal()
    }

    func wait() -> Reason {
        semaphore.wait()
        guard let reason else { preconditionFailure("a thread is woken with a reason") }
        return reason
    }
}
