import Dispatch

/// Seals the lines of a large batch in order on its own thread, while the caller encodes further
/// lines.
///
/// Lines are passed in portions. A portion is filled, then queued, then sealed, and changes its
/// owner under the lock. The memory of a sealed portion is reused.
final class SealingThread: Sendable {
    private struct State: Sendable {
        /// The lines sealed so far; empty while the thread works on them.
        var sealed: SealedLines
        var waiting: [UnsealedLines] = []
        var free: [UnsealedLines] = []
        var unfinished = 0
    }

    /// At this number of portions queued or being sealed the caller waits, to bound their memory.
    private static let maxPending = 8

    private let state: Protected<State>
    private let pendingSlots = DispatchSemaphore(value: maxPending)
    /// A serial queue gets a thread even if many other threads are blocked, so waiting for the
    /// queue always ends.
    private let queue = DispatchQueue(label: "sealing", qos: .userInitiated)

    private let portion: Int

    init(after sealed: SealedLines, portion: Int) {
        state = Protected(State(sealed: sealed))
        self.portion = portion
    }

    func begin() -> UnsealedLines { UnsealedLines(size: portion) }

    /// Queues a portion and returns an empty one to fill next, with schedules to prepare only if
    /// the sealing thread is busy; this balances the two threads for lines of any kind.
    func take(_ lines: UnsealedLines) -> UnsealedLines {
        pendingSlots.wait()
        var (next, isBusy) = state.withLock { state in
            state.waiting.append(lines)
            state.unfinished += 1
            return (state.free.popLast() ?? begin(), state.unfinished > 1)
        }
        queue.async { self.sealNext() }
        next.begin(preparing: isBusy && Chain.takesSchedules)
        return next
    }

    private func sealNext() {
        var (lines, sealed) = state.withLock { state in
            let sealed = state.sealed
            // Keep one owner, so that lines are appended in place.
            state.sealed = SealedLines(after: nil)
            return (state.waiting.removeFirst(), sealed)
        }
        lines.seal(into: &sealed)
        lines.begin(preparing: false)
        state.withLock { state in
            state.sealed = sealed
            state.free.append(lines)
            state.unfinished -= 1
        }
        pendingSlots.signal()
    }

    func finish() -> SealedLines {
        queue.sync {}
        return state.withLock { state in
            defer { state.sealed = SealedLines(after: nil) }
            return state.sealed
        }
    }
}
