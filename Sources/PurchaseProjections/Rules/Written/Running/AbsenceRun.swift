import PurchaseEvents

/// Runs a rule of the form `each … never happens`.
struct AbsenceRun: WrittenRun {
    private let phrases: RulePhrases
    private var each: EventPattern

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&each) }

    init(_ phrases: RulePhrases) {
        self.phrases = phrases
        each = EventPattern(phrases.syntax.each, after: phrases.syntax.after)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        // Every event of the type counts as a test, whether or not it meets the conditions.
        if each.hasType(event.type) { report.test() }
        guard each.matches(event, on: line, facts) else { return }
        phrases.find(
            event, on: line, facts, &report,
            " happened at \(event.at.text): expected no \(phrases.syntax.eachText)")
    }
}
