import PurchaseEvents

/// Runs a rule against events that never happen.
struct AbsenceRun: WrittenRun {
    private let phrases: RulePhrases
    private var each: EventPattern

    init(_ phrases: RulePhrases) {
        self.phrases = phrases
        each = EventPattern(phrases.syntax.each)
    }

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        // An event of the type is a test, whatever the conditions say of it.
        report.test()
        guard each.matches(event, on: line, facts), report.keeps(at: line.number) else { return }
        let subject = phrases.subject(of: event, facts)
        report.find(
            event, on: line, facts, account: EventValues.account(event, facts),
            key: subject.key(facts.names),
            "\(event.type.wireName)\(subject.suffix(facts.names)) happened at \(event.at.text): "
                + "expected no \(phrases.syntax.each.text)",
            hint: phrases.hint)
    }
}
