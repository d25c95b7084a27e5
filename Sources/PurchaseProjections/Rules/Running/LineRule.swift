import PurchaseEvents

/// A rule about single lines, which reads every line and needs no ``Facts``.
///
/// A check passes a batch of lines to a line rule with one call.
package protocol LineRule: CatalogueRule {
    /// Reads the event of a line; `names` resolves its handles.
    mutating func observe(
        _ event: LogEvent, at line: LineNumber, _ names: NameTable, _ report: inout Report)

    /// Reads a line that was not understood.
    mutating func observeNotUnderstood(_ line: LineNumber)
}

extension LineRule {
    /// A line rule reads every event type.
    package static var reads: EventTypes { .all }

    /// The default: does nothing.
    package mutating func observeNotUnderstood(_ line: LineNumber) {}

    /// Reads an event; ignores the facts.
    package mutating func observe(
        _ event: LogEvent, on line: Line, facts: Facts, report: inout Report
    ) { observe(event, at: line.number, facts.names, &report) }

    /// Reads a line that was not understood; ignores the facts.
    package mutating func observeNotUnderstood(
        _ line: LineNumber, facts: Facts, report: inout Report
    ) { observeNotUnderstood(line) }

    /// Creates a runner that accepts batches of lines.
    package static func runner(_ info: RuleInfo, limit: Int) -> RuleRunner {
        RuleRunner(lineRule: Self(), Report(info, limit: limit), info)
    }

    // Inlined into a closure specialized for the rule, which avoids copying events.
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
