import PurchaseEvents

/// The entries of the queue that are keyed by a payment: what a finish of one finishes.
///
/// Eight bytes. One payment may have been added several times (G3.2), so that several failures of
/// it wait to be finished.
struct PaymentEntry: Sendable {
    /// What a finish that names a payment finishes.
    enum Finished {
        /// A failure, or what the payment became when it was purchased.
        case ended
        /// An entry that waits, by the type and the line of its latest event.
        case waiting(EventType, LineNumber)
        /// What was finished before.
        case finished
        /// An entry that the log did not see begin.
        case unknown
    }

    private var line: LineNumber = 0
    /// The type of the latest event of an entry that waits; `log.opened`: none waits.
    private var waiting = EventType.logOpened
    /// How many failures wait to be finished.
    private(set) var failures: UInt8 = 0
    /// Whether it was purchased, and nothing that names the payment finished that.
    private(set) var isPurchased = false
    private var latest = Outcome.none

    /// What the latest finish finished.
    private enum Outcome: UInt8 { case none, ended, purchase, waiting, finished, unknown }

    /// Whether the latest finish finished what the payment became when it was purchased.
    var hasFinishedPurchase: Bool { latest == .purchase }

    /// What the latest finish finished; `nil` where there was none.
    var finished: Finished? {
        switch latest {
        case .none: nil
        case .ended, .purchase: .ended
        case .waiting: .waiting(waiting, line)
        case .finished: .finished
        case .unknown: .unknown
        }
    }

    /// Takes in what the queue or a request says of it, by the type and the line of the event.
    mutating func note(_ type: EventType, _ line: LineNumber) {
        if type == .queueFailed {
            if failures < .max { failures += 1 }
            waiting = .logOpened
        } else if type == .queuePurchased {
            isPurchased = true
            waiting = .logOpened
        } else {
            waiting = type
            self.line = line
        }
    }

    /// Takes in a finish.
    mutating func finish() {
        if failures > 0 {
            failures -= 1
            latest = .ended
        } else if waiting != .logOpened {
            latest = .waiting
        } else if isPurchased {
            isPurchased = false
            latest = .purchase
        } else {
            latest = latest == .none ? .unknown : .finished
        }
    }
}
