import Dispatch

/// A value computed on another thread while this one does something else.
final class BackgroundValue<Answer: Sendable>: Sendable {
    private let answer = Protected<Answer?>(nil)
    private let queue = DispatchQueue(label: "background value", qos: .userInitiated)

    init(_ work: @escaping @Sendable () -> Answer) {
        queue.async { [answer] in
            let found = work()
            answer.withLock { $0 = found }
        }
    }

    func get() -> Answer {
        queue.sync {}
        guard let found = answer.withLock({ $0 }) else {
            preconditionFailure("a serial queue does its work in order")
        }
        return found
    }
}
