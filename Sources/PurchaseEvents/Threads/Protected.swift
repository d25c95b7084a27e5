#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// State that only one thread may access at a time, under a POSIX mutex. On Linux,
/// `Synchronization.Mutex` uses a futex, which the thread sanitizer doesn't see, so it would report
/// false races; `NSLock` needs Foundation.
package final class Protected<State: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var state: State

    package init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let answer = pthread_mutex_init(mutex, nil)
        precondition(answer == 0, "a mutex needs no more than memory, seen error \(answer)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` while holding the lock; `body` must not take the same lock again.
    package func withLock<Answer, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let answer = pthread_mutex_lock(mutex)
        precondition(answer == 0, "a mutex that isn't held can be locked, seen error \(answer)")
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
