import PurchaseEvents

/// The descriptor that the signal handler writes to while signals are held; -1 if none is held.
nonisolated(unsafe) private var writeEnd: Int32 = -1
/// The path of the file that the signal handler removes before the process ends.
nonisolated(unsafe) private var unfinished: UnsafeMutablePointer<CChar>?

/// The signal handler, which may call few functions: a held signal only writes a byte to a pipe,
/// and the byte ends the wait.
private func receive(_ number: Int32) {
    let error = errno
    if writeEnd >= 0, number == SIGINT || number == SIGTERM {
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
        writeEnd = -1
    } else {
        if let unfinished { unlink(unfinished) }
        // Ends the process once the handler returns.
        signal(number, SIG_DFL)
        raise(number)
    }
    errno = error
}

/// Makes the first SIGINT or SIGTERM end a wait; the second one ends the process.
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
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd = ends[1]
        // The process may have inherited these signals as blocked, so unblock them.
        var held = sigset_t()
        sigemptyset(&held)
        sigaddset(&held, SIGINT)
        sigaddset(&held, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &held, nil)
        for number in [SIGINT, SIGTERM] { signal(number, receive) }
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

/// The file that the tool is writing and that must not stay if a signal ends the tool.
enum UnfinishedFile {
    /// Names the file; `nil` if there is none, or no longer.
    static func set(_ path: String?) {
        access.withLock { _ in
            let before = unfinished
            unfinished = path.flatMap { strdup($0) }
            free(before)
        }
        if path != nil { _ = isHandled }
    }

    private static let access = Protected(())

    /// Sets the signal handler once, save for signals that the parent process ignores.
    private static let isHandled: Bool = {
        for number in [SIGHUP, SIGINT, SIGTERM, SIGPIPE] {
            if isIgnoring(signal(number, receive)) { signal(number, SIG_IGN) }
        }
        return true
    }()

    /// Whether a handler is the one that ignores a signal.
    private static func isIgnoring<Handler>(_ handler: Handler) -> Bool {
        // Functions can only be compared by their bytes.
        withUnsafeBytes(of: handler) { handler in
            withUnsafeBytes(of: SIG_IGN) { handler.elementsEqual($0) }
        }
    }
}
