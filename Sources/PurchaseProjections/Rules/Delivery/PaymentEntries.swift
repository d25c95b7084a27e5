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
        var line: LineNumber = 0
        var waiting = EventType.logOpened
        var failures: UInt8 = 0
        var isPurchased = false
        var isFinished = false
    }

    private var payments: [Entries] = []

    /// The types of event that change an entry.
    static let types = EventTypes(
        .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueFinished)

    /// Takes in an event of these types; what it finishes, where it finishes a payment's entry.
    mutating func observe(_ event: Event<Interned>, on line: Line) -> Finished? {
        guard let payment = event.fact.payment else { return nil }
        while payments.count <= payment.index { payments.append(Entries()) }
        if event.type == .queueFinished { return finish(&payments[payment.index]) }
        note(event.type, &payments[payment.index], line.number)
        return nil
    }

    private func note(_ type: EventType, _ entries: inout Entries, _ line: LineNumber) {
        if type == .queueFailed {
            if entries.failures < .max { entries.failures += 1 }
            entries.waiting = .logOpened
        } else if type == .queuePurchased {
            entries.isPurchased = true
            entries.waiting = .logOpened
        } else {
            entries.waiting = type
            entries.line = line
        }
    }

    private func finish(_ entries: inout Entries) -> Finished {
        defer { entries.isFinished = true }
        if entries.failures > 0 {
            entries.failures -= 1
            return .ended
        }
        if entries.waiting != .logOpened { return .waiting(entries.waiting, entries.line) }
        if entries.isPurchased {
            entries.isPurchased = false
            return .ended
        }
        return entries.isFinished ? .finished : .unknown
    }
}
