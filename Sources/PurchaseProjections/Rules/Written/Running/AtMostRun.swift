import PurchaseEvents

/// Runs a rule that allows a limited number of events with equal keys.
///
/// The rule keeps as many events for each slot as it allows.
struct AtMostRun: WrittenRun {
    private let phrases: RulePhrases
    private let most: Int
    private let span: RuleSpan?
    private var each: EventPattern
    private var join: JoinKey
    /// The latest events by slot, in a ring buffer: the next event overwrites the oldest.
    private var rings = DenseTable(Ring())

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&each).visit(&join).visit(&rings)
    }

    private struct Ring: Sendable, SnapshottedElement {
        var marks: [RuleMark] = []
        var next = 0

        mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&marks).visit(&next) }
    }

    init(_ phrases: RulePhrases, most: Int) {
        self.phrases = phrases
        self.most = most
        span = phrases.syntax.within
        each = EventPattern(phrases.syntax.each)
        join = JoinKey(phrases.syntax.same)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard each.matches(event, on: line, facts) else { return }
        let slot = join.slots(of: event, facts).own
        guard slot != 0 else { return }
        report.test()
        let mark = RuleMark(event, on: line, facts)
        guard rings[slot].marks.count == most else {
            rings[slot].marks.append(mark)
            return
        }
        let place = rings[slot].next
        let oldest = rings[slot].marks[place]
        rings[slot].marks[place] = mark
        rings[slot].next = place + 1 == most ? 0 : place + 1
        guard !oldest.isOver(span, at: event.at, facts) else { return }
        let latest = rings[slot].marks[place == 0 ? most - 1 : place - 1]
        find(oldest, latest, event, on: line, facts, &report)
    }

    private func find(
        _ oldest: RuleMark, _ latest: RuleMark, _ event: LogEvent, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        let subject = phrases.subject(of: event, facts)
        if span?.isOfLaunches == true, let reason = facts.incompleteReason(after: oldest.line) {
            return report.cannotTell("whether the device was launched: \(reason)")
        }
        var notes = [phrases.note(oldest, most == 1 ? "let" : "let the first be")]
        if most > 1 { notes.append(phrases.note(latest, "then the latest before this was")) }
        let syntax = phrases.syntax
        report.find(
            event, on: line, facts, account: phrases.account(of: event, facts),
            key: subject.key(facts.names),
            "\(event.type.wireName)\(subject.suffix(facts.names)) at \(event.at.text) is one of "
                + "\(most + 1)\(syntax.limit): expected at most \(most) \(syntax.each.text)"
                + "\(syntax.joining)\(syntax.limit)",
            notes: notes, hint: phrases.hint)
    }
}
