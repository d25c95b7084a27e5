import PurchaseEvents

/// What the messages of a rule file have in common.
struct RulePhrases: Sendable {
    let syntax: RuleSyntax
    /// The place of the rule in its file.
    let origin: String
    private let subjects: RuleSubjects

    init(_ syntax: RuleSyntax, origin: String) {
        (self.syntax, self.origin) = (syntax, origin)
        subjects = RuleSubjects(syntax.same)
    }

    /// What a finding about an event is about.
    func subject(of event: Event<Interned>, _ facts: Facts) -> RuleSubject {
        subjects.subject(of: event, facts)
    }

    /// The other event, as the rule names it.
    var other: String { (syntax.other?.text ?? "") + RuleSyntax.join(syntax.same) }

    /// The hint of each finding: where to look up the rule.
    var hint: String { "the rule is written at \(origin)" }

    /// A note on a kept event.
    func note(_ mark: RuleMark, _ verb: String) -> Finding.Note {
        Finding.Note(
            line: mark.line, message: "\(verb) \(mark.type.wireName) at \(mark.at.text)")
    }

    /// The limits of the rule, as it spells them.
    var conditions: String {
        var text = syntax.limit
        if let before = syntax.before { text += " before \(before.text)" }
        if let unless = syntax.unless { text += " unless \(unless.text) comes between" }
        return text
    }
}
