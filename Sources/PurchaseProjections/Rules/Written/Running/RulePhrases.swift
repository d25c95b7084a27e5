import PurchaseEvents

/// Phrases that the findings of a rule of a rule file share.
struct RulePhrases: Sendable {
    let syntax: RuleSyntax
    /// The position of the rule in its file.
    let origin: String
    private let subjects: RuleSubjects

    init(_ syntax: RuleSyntax, origin: String) {
        (self.syntax, self.origin) = (syntax, origin)
        subjects = RuleSubjects(syntax.same)
    }

    func subject(of event: LogEvent, _ facts: Facts) -> RuleSubject {
        subjects.subject(of: event, facts)
    }

    /// An event by its type and subject.
    func name(of event: LogEvent, _ facts: Facts) -> String {
        subject(of: event, facts).name(of: event.type, facts.names)
    }

    /// The account of a finding about an event.
    ///
    /// If `original` joins the rule's events, this is the owner of the original, otherwise the
    /// account that the event names. If `notification` joins them, this is the account that the
    /// event names. In any other rule, this is the event's ``EventValues/account(_:_:)``.
    func account(of event: LogEvent, _ facts: Facts) -> AccountHandle? {
        if syntax.same.contains(.original) {
            let original = EventValues.original(event, facts)
            return original.flatMap { facts.owner(of: $0) } ?? event.account
        }
        if syntax.same.contains(.notification) { return event.account }
        return EventValues.account(event, facts)
    }

    /// The other event, as written in the rule.
    var other: String { (syntax.other?.text ?? "") + syntax.joining }

    /// Reports a finding about an event; the message goes on from the event's name.
    func find(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report,
        _ message: @autoclosure () -> String, notes: @autoclosure () -> [Finding.Note] = []
    ) {
        let subject = subject(of: event, facts)
        report.find(
            event, on: line, facts, account: account(of: event, facts),
            key: subject.key(facts.names), subject.name(of: event.type, facts.names) + message(),
            notes: notes(), hint: hint)
    }

    /// The hint of each finding: the file and line of the rule.
    var hint: String { "the rule is written at \(origin)" }

    func note(_ mark: RuleMark, _ verb: String) -> Finding.Note {
        Finding.Note(line: mark.line, message: "\(verb) \(mark.type.wireName) at \(mark.at.text)")
    }
}
