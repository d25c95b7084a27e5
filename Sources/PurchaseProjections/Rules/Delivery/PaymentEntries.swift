import PurchaseEvents

/// The entries of the queue that are keyed by a payment: what a finish of one finishes.
///
/// Eight bytes a payment. One payment may have been added several times (G3.2), so that several
/// failures of it wait to be finished.
struct PaymentEntries: Sendable {
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

    private struct Entries {
        private var line: LineNumber = 0
        /// The type of the latest event of an entry that waits; `log.opened`: none waits.
        private var waiting = EventType.logOpened
        private var failures: UInt8 = 0
        private var isPurchased = false
        private var isFinished = false

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

        mutating func finish() -> Finished {
            defer { isFinished = true }
            if failures > 0 {
                failures -= 1
                return .ended
            }
            if waiting != .logOpened { return .waiting(waiting, line) }
            if isPurchased {
                isPurchased = false
                return .ended
            }
            return isFinished ? .finished : .unknown
        }
    }

    private var payments = DenseTable(Entries())

    /// The types of event that change an entry.
    static let types = EventTypes(
        .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueFinished)

    /// Takes in an event of these types; what it finishes, where it finishes a payment's entry.
    mutating func observe(_ event: Event<Interned>, on line: Line) -> Finished? {
        guard let payment = event.payment else { return nil }
        if event.type == .queueFinished { return payments[payment.index].finish() }
        payments[payment.index].note(event.type, line.number)
        return nil
    }
}
