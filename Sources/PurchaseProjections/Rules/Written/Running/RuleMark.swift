import PurchaseEvents

/// An event that a rule of a rule file remembers: its line, device and time.
struct RuleMark: Sendable {
    /// The event's line; 0 means no event.
    var line: LineNumber = 0
    /// The index of the event's device, and the number of the device's launches so far.
    var device: UInt32 = 0, launches: UInt32 = 0
    var type = EventType.logOpened
    var at = Timestamp(milliseconds: 0)

    init() {}

    @inline(__always)
    init(_ event: LogEvent, on line: Line, _ facts: Facts) {
        self.line = line.number
        device = UInt32(truncatingIfNeeded: Facts.index(of: event.device))
        launches = facts.devices[Int(device)].launches
        type = event.type
        at = event.at
    }

    /// Whether a span that begins at the event is over, at a time or after the device's launches so
    /// far.
    @inline(__always)
    func isOver(_ span: RuleSpan?, at time: Timestamp, _ facts: Facts) -> Bool {
        switch span {
        case nil: false
        case .time(let milliseconds, _): at.distance(to: time) > milliseconds
        case .launches(let count, _): facts.devices[Int(device)].launches &- launches >= count
        }
    }

    /// Whether the event is at most a span apart from a later event, in either direction.
    @inline(__always)
    func isNear(_ event: LogEvent, _ span: RuleSpan?, _ facts: Facts) -> Bool {
        if case .time(let milliseconds, _) = span, event.at < at {
            return event.at.distance(to: at) <= milliseconds
        }
        return !isOver(span, at: event.at, facts)
    }
}
