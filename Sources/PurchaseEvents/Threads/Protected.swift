#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// State that one thread at a time may touch.
///
/// A POSIX mutex: `Synchronization.Mutex` is built on a futex on Linux, which the thread sanitizer
/// doesn't see, so that it reports races where there are none; and `NSLock` is Foundation's.
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

    /// Runs the body while no other thread is in one; it must not ask for the same lock again.
    package func withLock<Answer, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let answer = pthread_mutex_lock(mutex)
        precondition(answer == 0, "a mutex that isn't held can be locked, seen error \(answer)")
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
