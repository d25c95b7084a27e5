import PurchaseEvents

/// A rule about lines alone, every one of them and whatever ``Facts`` know.
///
/// Lines that were read together are read by one such rule after the other, which costs each of
/// them a call for all of them instead of one a line.
public protocol LineRule: Rule {
    /// Reads the event of a line; its names are in a table.
    mutating func observe(
        _ event: Event<Interned>, at line: LineNumber, _ names: NameTable, _ report: inout Report)

    /// Reads a line that was not understood.
    mutating func observeNotUnderstood(_ line: LineNumber)
}

extension LineRule {
    /// It reads every type.
    public static var reads: EventTypes { .all }

    /// Most rules have nothing to say of a line that was not understood.
    public mutating func observeNotUnderstood(_ line: LineNumber) {}

    /// Reads an event, whatever the facts are.
    public mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) { observe(event, at: line.number, facts.names, &report) }

    /// Reads a line that was not understood, whatever the facts are.
    public mutating func observeNotUnderstood(
        _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) { observeNotUnderstood(line) }

    /// The rule at the beginning of a log, which is given lines at once.
    public static func runner(limit: Int) -> RuleRunner {
        RuleRunner(alone: Self(), Report(Self.self, limit: limit))
    }

    /// Reads lines in a row.
    // Inlined into a closure of the rule's own, where an event need not be copied.
    @inline(__always)
    mutating func observe(_ lines: ReadLines, _ names: NameTable, _ report: inout Report) {
        if let events = lines.allEvents {
            let first = lines.firstNumber
            for index in events.indices {
                observe(events[index], at: LineNumber(first + index), names, &report)
            }
            return
        }
        for line in lines {
            if let event = line.eventPlace {
                observe(event.pointee, at: LineNumber(line.number), names, &report)
            } else if line.diagnostic != nil {
                observeNotUnderstood(LineNumber(line.number))
            }
        }
    }
}
