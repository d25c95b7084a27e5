/// The descriptor that the signal handler writes to; set before the handler is installed.
nonisolated(unsafe) private var writeEnd: Int32 = -1

/// Makes the first SIGINT or SIGTERM end a wait; the second one ends the process.
///
/// A signal handler may call few functions, so this one writes a byte to a pipe, and the byte ends
/// the wait.
final class HeldSignals {
    private let readEnd: Int32

    /// Begins to hold signals, until the first one comes.
    ///
    /// If the system can't open a pipe, no signal is held, and a signal ends the process.
    init() {
        var ends: [Int32] = [-1, -1]
        let isOpen = pipe(&ends) == 0
        readEnd = ends[0]
        guard isOpen else { return }
        writeEnd = ends[1]
        // The process may have inherited these signals as blocked, so unblock them.
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

    /// Waits for a duration; returns `false` at once if a signal has come.
    func pause(for duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        // Without a pipe, the descriptor is negative, and a poll waits only for the time.
        var waited = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            // Poll for at most an hour at a time, so that the number fits in an `Int32`.
            let found = poll(&waited, 1, Int32(min(max(left.rounded(.up), 0), 3_600_000)))
            if found > 0 { return false }
            // A signal may interrupt a poll, so check the time.
            if ContinuousClock.now >= end { return true }
        }
    }
}
