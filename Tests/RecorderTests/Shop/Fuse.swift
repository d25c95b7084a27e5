import PurchaseEvents

/// Ends the app's process after a number of steps: each action of the app, its files and the queue
/// takes a step.
final class Fuse: Sendable {
    private let state = Protected((left: Int?.none, isBlown: false, steps: 0))

    /// Whether the process has ended.
    var isBlown: Bool { state.withLock { $0.isBlown } }
    /// The number of steps so far.
    var steps: Int { state.withLock { $0.steps } }

    /// Ends the process after this many more steps; `nil` means never.
    func arm(_ steps: Int?) { state.withLock { $0.left = steps } }

    /// Takes a step; returns whether the process still runs.
    @discardableResult
    func burn() -> Bool {
        state.withLock { state in
            if state.isBlown { return false }
            state.steps += 1
            guard let left = state.left else { return true }
            state.left = left - 1
            if left <= 0 { state.isBlown = true }
            return left > 0
        }
    }

    /// Starts a new process.
    func renew() { state.withLock { ($0.isBlown, $0.left) = (false, nil) } }
}
