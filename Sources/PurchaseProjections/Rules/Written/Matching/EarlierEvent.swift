import PurchaseEvents

/// A compiled `after …`: tells whether a matching event with the same keys came before an event.
struct EarlierEvent: Sendable, Snapshotted {
    private var pattern: EventPattern
    private var join: JoinKey
    private var isSeen = DenseTable(false)

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&pattern).visit(&join).visit(&isSeen)
    }

    init(_ phrase: JoinedPhrase) {
        pattern = EventPattern(phrase.event)
        join = JoinKey(phrase.same)
    }

    /// Whether a matching event with the same keys was stored before the given event.
    mutating func precedes(_ event: LogEvent, _ facts: Facts) -> Bool {
        let slots = join.slots(of: event, facts)
        // Slot 0 stands for a missing key and is never set.
        return isSeen[slots.own] || isSeen[slots.other] || isSeen[slots.third]
    }

    mutating func store(_ event: LogEvent, on line: Line, _ facts: Facts) {
        guard pattern.matches(event, on: line, facts) else { return }
        let slot = join.slots(of: event, facts).own
        if slot != 0 { isSeen[slot] = true }
    }
}
