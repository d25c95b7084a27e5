#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where the handler of signals writes; set before the handler is.
nonisolated(unsafe) private var writeEnd: Int32 = -1

/// Holds the first SIGINT or SIGTERM back, for whoever waits; the second one ends the process.
///
/// A handler may do little, so this one writes a byte to a pipe, which ends the waiting.
final class HeldSignals {
    private let readEnd: Int32

    /// Begins to hold signals, until the process ends.
    ///
    /// Where the system has no pipe left, nothing is held: a signal ends the process.
    init() {
        var ends: [Int32] = [-1, -1]
        let isOpen = pipe(&ends) == 0
        readEnd = ends[0]
        guard isOpen else { return }
        writeEnd = ends[1]
        // A process inherits the signals that the thread that started it blocks.
        var held = sigset_t()
        sigemptyset(&held)
        sigaddset(&held, SIGINT)
        sigaddset(&held, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &held, nil)
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in
                let error = errno
                signal(SIGINT, SIG_DFL)
                signal(SIGTERM, SIG_DFL)
                var byte: UInt8 = 0
                _ = write(writeEnd, &byte, 1)
                errno = error
            }
        }
    }

    /// Waits; returns `false` at once where a signal came.
    func pause(for duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        // A poll without a descriptor waits for the time alone.
        var waited = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            // An hour at once, so that any duration fits.
            let found = poll(&waited, 1, Int32(min(max(left.rounded(.up), 0), 3_600_000)))
            if found > 0 { return false }
            // A signal may also end one poll early.
            if ContinuousClock.now >= end { return true }
        }
    }
}
