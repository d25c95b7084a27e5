import Dispatch

/// Seals the lines of a large batch on a thread of its own, in order, while the next ones are
/// written out.
///
/// Lines go over in portions: a portion is with the thread that fills it, or waits, or is being
/// sealed, and the lock hands it over. The memory of one that was sealed is filled again.
final class SealingThread: Sendable {
    private struct State: Sendable {
        /// What is sealed; nothing while the thread has it.
        var sealed: SealedLines
        var waiting: [UnsealedLines] = []
        var free: [UnsealedLines] = []
        /// How many portions wait or are being sealed.
        var unfinished = 0
    }

    /// So many portions may wait or be sealed; then the thread that fills them waits, so that
    /// memory doesn't grow with the batch.
    private static let most = 8

    private let state: Protected<State>
    private let room = DispatchSemaphore(value: most)
    /// A serial queue of its own is given a thread however many others wait, so that waiting for it
    /// ends.
    private let queue = DispatchQueue(label: "sealing", qos: .userInitiated)

    private let portion: Int

    /// Seals behind what is sealed already, in portions of so many bytes.
    init(behind sealed: SealedLines, portion: Int) {
        state = Protected(State(sealed: sealed))
        self.portion = portion
    }

    /// A portion to begin with.
    func begin() -> UnsealedLines { UnsealedLines(size: portion) }

    /// Takes a portion, and gives an empty one to go on with.
    ///
    /// That makes schedules where the thread has work left meanwhile, and none where it waits for
    /// lines: so both have about as much to do, whatever the lines are like.
    func take(_ lines: UnsealedLines) -> UnsealedLines {
        room.wait()
        var (next, isBehind) = state.withLock { state in
            state.waiting.append(lines)
            state.unfinished += 1
            return (state.free.popLast() ?? begin(), state.unfinished > 1)
        }
        queue.async { self.sealNext() }
        next.begin(preparing: isBehind && Chain.takesSchedules)
        return next
    }

    private func sealNext() {
        var (lines, sealed) = state.withLock { state in
            let sealed = state.sealed
            // One owner at a time, so that lines are added in place.
            state.sealed = SealedLines(after: nil)
            return (state.waiting.removeFirst(), sealed)
        }
        lines.seal(behind: &sealed)
        lines.begin(preparing: false)
        state.withLock { state in
            state.sealed = sealed
            state.free.append(lines)
            state.unfinished -= 1
        }
        room.signal()
    }

    /// Waits until all is sealed that was taken; all lines.
    func finish() -> SealedLines {
        queue.sync {}
        return state.withLock { state in
            defer { state.sealed = SealedLines(after: nil) }
            return state.sealed
        }
    }
}
