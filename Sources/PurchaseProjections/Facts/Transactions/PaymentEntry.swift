import PurchaseEvents

/// The queue entries of one payment, and the entry that the latest finish ended.
///
/// Takes eight bytes. A payment may be added several times (G3.2), so several of its failures may
/// wait to be finished.
struct PaymentEntry: Sendable {
    /// The entry that a finish ended by naming its payment.
    enum Finished {
        /// A failure, or the transaction that the payment bought.
        case ended
        /// An entry still in progress; gives the type and line of its latest event.
        case waiting(EventType, LineNumber)
        /// An entry that was already finished.
        case finished
        /// An entry whose start the log does not show.
        case unknown
    }

    private var line: LineNumber = 0
    /// The type of the latest event of the entry in progress; `log.opened` means none.
    private var waiting = EventType.logOpened
    /// The number of failures that wait to be finished.
    private(set) var failures: UInt8 = 0
    /// Whether the payment was purchased, and no later finish that names the payment ended the
    /// purchase.
    private(set) var isPurchased = false
    private var latest = Outcome.none

    /// The result of the latest finish.
    private enum Outcome: UInt8 { case none, ended, purchase, waiting, finished, unknown }

    /// Whether the latest finish ended the transaction that the payment bought.
    var hasFinishedPurchase: Bool { latest == .purchase }

    /// The entry that the latest finish ended; `nil` if there was no finish.
    var finished: Finished? {
        switch latest {
        case .none: nil
        case .ended, .purchase: .ended
        case .waiting: .waiting(waiting, line)
        case .finished: .finished
        case .unknown: .unknown
        }
    }

    /// Records a request or a queue event, by its type and line.
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

    /// Records that another purchase of the payment is not finished.
    mutating func keepPurchase() { isPurchased = true }

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
