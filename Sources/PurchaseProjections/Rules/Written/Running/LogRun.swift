import PurchaseEvents

/// Runs a rule that applies only to a log with a certain event: `in a log with …`.
///
/// The rule's results are held back until the log shows the event; without the event, the rule
/// reports nothing.
struct LogRun<Run: WrittenRun>: WrittenRun {
    private var run: Run
    private var event: EventPattern
    private var hasEvent = false
    private var held: Report

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&run).visit(&event).visit(&hasEvent)
        held.visitFields(visitor)
    }

    init(_ run: Run, _ event: EventPhrase, _ held: Report) {
        self.run = run
        self.event = EventPattern(event)
        self.held = held
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if !hasEvent, self.event.matches(event, on: line, facts) {
            hasEvent = true
            report.take(&held)
        }
        if hasEvent {
            run.observe(event, on: line, facts: facts, report: &report)
        } else {
            run.observe(event, on: line, facts: facts, report: &held)
        }
    }

    mutating func observeNotUnderstood(_ line: LineNumber, facts: Facts, report: inout Report) {
        if hasEvent {
            run.observeNotUnderstood(line, facts: facts, report: &report)
        } else {
            run.observeNotUnderstood(line, facts: facts, report: &held)
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        if hasEvent { run.finish(facts: facts, report: &report) }
    }
}
