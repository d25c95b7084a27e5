#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Wakes the one thread that waits for it, once.
final class Bell: @unchecked Sendable {
    /// What the thread is told.
    enum Call: Sendable {
        case answered(CommitQueue.Answer)
        /// To lead the next round, its own request with it.
        case leads
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var rung: Call?

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        let answers = [pthread_mutex_init(mutex, nil), pthread_cond_init(condition, nil)]
        precondition(answers == [0, 0], "a condition needs no more than memory")
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deinitialize(count: 1)
        condition.deallocate()
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    func ring(_ call: Call) {
        pthread_mutex_lock(mutex)
        rung = call
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func wait() -> Call {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let rung { return rung }
            pthread_cond_wait(condition, mutex)
        }
    }
}
