import PurchaseEvents

/// Runs a rule that looks back from an event.
///
/// The forms are `is preceded by`, `is not preceded by`, and `is not followed by`, which looks back
/// from the event that must not follow.
///
/// The latest event of each kind decides, so the rule keeps one event for each slot.
struct PrecedenceRun: WrittenRun {
    private let phrases: RulePhrases
    private let isNegative: Bool
    /// Whether the rule is about the earlier of the two events.
    private let testsEarlier: Bool
    private let span: RuleSpan?
    private var later: EventPattern, earlier: EventPattern
    private var before: EventPattern?, unless: EventPattern?
    private var join: JoinKey, beforeJoin: JoinKey, unlessJoin: JoinKey
    /// The latest events by slot.
    private var marks = DenseTable(RuleMark())
    /// The relation of the earlier event to the later one, and the earlier events by slot.
    private let relation: EventRelation?
    private var related = DenseTable(RelatedMarks())
    private var befores = DenseTable(RuleMark()), excuses = DenseTable(RuleMark())

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&later).visit(&earlier)
        before?.visitFields(visitor)
        unless?.visitFields(visitor)
        visitor.visit(&join).visit(&beforeJoin).visit(&unlessJoin).visit(&marks).visit(&related)
        visitor.visit(&befores).visit(&excuses)
    }

    init(_ phrases: RulePhrases, other: EventPhrase) {
        let syntax = phrases.syntax
        self.phrases = phrases
        isNegative = syntax.template != .preceded
        testsEarlier = syntax.template == .notFollowed
        span = syntax.within
        let each = EventPattern(syntax.each, after: syntax.after)
        later = testsEarlier ? EventPattern(other) : each
        earlier = testsEarlier ? each : EventPattern(other)
        let isInverse = testsEarlier
        relation = syntax.relation.map { EventRelation($0, isInverse: isInverse) }
        before = syntax.before.map { EventPattern($0.event) }
        unless = syntax.unless.map { EventPattern($0.event) }
        join = JoinKey(syntax.same)
        beforeJoin = JoinKey(syntax.before?.same ?? [])
        unlessJoin = JoinKey(syntax.unless?.same ?? [])
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        // An event doesn't precede itself, so judge it before storing it.
        if later.matches(event, on: line, facts) { judge(event, on: line, facts, &report) }
        if earlier.matches(event, on: line, facts) {
            let slots = join.slots(of: event, facts)
            if slots.own != 0, store(event, on: line, slots.own, facts), testsEarlier {
                report.test()
            }
        }
        if before?.matches(event, on: line, facts) == true {
            let slots = beforeJoin.slots(of: event, facts)
            if slots.own != 0 { befores[slots.own] = RuleMark(event, on: line, facts) }
        }
        if unless?.matches(event, on: line, facts) == true {
            let slots = unlessJoin.slots(of: event, facts)
            if slots.own != 0 { excuses[slots.own] = RuleMark(event, on: line, facts) }
        }
    }

    /// Stores an earlier event under its slot; `false` if the event lacks the key of the relation.
    @inline(__always)
    private mutating func store(
        _ event: LogEvent, on line: Line, _ slot: Int, _ facts: Facts
    ) -> Bool {
        guard let relation else {
            marks[slot] = RuleMark(event, on: line, facts)
            return true
        }
        guard let value = relation.value(of: event, facts) else { return false }
        related[slot].store(RuleMark(event, on: line, facts), value, relation)
        return true
    }

    /// The latest of the events with a relation to a value.
    private func latest(
        _ value: Int64, _ slots: JoinKey.Slots, _ relation: EventRelation
    ) -> RuleMark {
        // Nothing is stored in slot 0.
        var latest = related[slots.own].mark(for: value, relation)
        let other = related[slots.other].mark(for: value, relation)
        if other.line > latest.line { latest = other }
        let third = related[slots.third].mark(for: value, relation)
        return third.line > latest.line ? third : latest
    }

    /// The latest of the events stored under an event's slots.
    @inline(__always)
    private static func latest(_ marks: DenseTable<RuleMark>, _ slots: JoinKey.Slots) -> RuleMark {
        var latest = marks[slots.own]
        if slots.other != 0, marks[slots.other].line > latest.line { latest = marks[slots.other] }
        if slots.third != 0, marks[slots.third].line > latest.line { latest = marks[slots.third] }
        return latest
    }

    private mutating func judge(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let slots = join.slots(of: event, facts)
        guard slots.own != 0 || slots.other != 0 || slots.third != 0 else { return }
        let mark: RuleMark
        if let relation {
            guard let value = relation.value(of: event, facts) else { return }
            mark = latest(value, slots, relation)
        } else {
            mark = PrecedenceRun.latest(marks, slots)
        }
        if !testsEarlier { report.test() }
        var ended = RuleMark(), excuse = RuleMark()
        if before != nil {
            ended = PrecedenceRun.latest(befores, beforeJoin.slots(of: event, facts))
        }
        if unless != nil {
            excuse = PrecedenceRun.latest(excuses, unlessJoin.slots(of: event, facts))
        }
        // An event that is one of the two does not come between them.
        let precedes =
            mark.line != 0 && mark.line >= ended.line && !mark.isOver(span, at: event.at, facts)
        if isNegative {
            guard precedes, excuse.line <= mark.line else { return }
            find(mark, event, on: line, facts, &report)
        } else {
            let isExcused =
                excuse.line != 0 && excuse.line >= ended.line
                && !excuse.isOver(span, at: event.at, facts)
            guard !precedes, !isExcused else { return }
            findMissing((mark, ended), event, on: line, facts, &report)
        }
    }

    /// Reports an event that must not follow another.
    private func find(
        _ mark: RuleMark, _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let subject = phrases.subject(of: event, facts)
        // A line that wasn't understood may hold an event that excuses this one.
        if before != nil || unless != nil || span?.isOfLaunches == true,
            let reason = facts.incompleteReason(after: mark.line)
        {
            return report.cannotTell(
                "whether \(event.type.wireName)\(subject.suffix(facts.names)) was allowed again: "
                    + reason)
        }
        report.find(
            event, on: line, facts, account: phrases.account(of: event, facts),
            key: subject.key(facts.names),
            "\(event.type.wireName)\(subject.suffix(facts.names)) comes after "
                + "\(mark.type.wireName): expected none after it\(phrases.conditions)",
            notes: [phrases.note(mark, "let")], hint: phrases.hint)
    }

    /// Reports an event without the required earlier event.
    private func findMissing(
        _ kept: (mark: RuleMark, ended: RuleMark), _ event: LogEvent, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        let subject = phrases.subject(of: event, facts)
        if let reason = reason(since: kept.ended, event, facts) {
            return report.cannotTell(
                "no \(phrases.other) is seen before \(event.type.wireName)"
                    + "\(subject.suffix(facts.names)); \(reason)")
        }
        var notes: [Finding.Note] = []
        if kept.mark.line != 0 { notes.append(phrases.note(kept.mark, "let")) }
        if kept.ended.line != 0 { notes.append(phrases.note(kept.ended, "then came")) }
        report.find(
            event, on: line, facts, account: phrases.account(of: event, facts),
            key: subject.key(facts.names),
            "\(event.type.wireName)\(subject.suffix(facts.names)) at \(event.at.text) is not "
                + "preceded by \(phrases.syntax.other?.text ?? ""): expected \(phrases.other)"
                + "\(phrases.conditions) before it",
            notes: notes.sorted { $0.line < $1.line }, hint: phrases.hint)
    }

    /// The reason why the required earlier event may be missing from the log; `nil` if the log
    /// shows everything.
    private func reason(since ended: RuleMark, _ event: LogEvent, _ facts: Facts) -> String? {
        if ended.line != 0 { return facts.incompleteReason(after: ended.line) }
        var beginsInLog = false
        switch span {
        case nil: break
        case .time(let milliseconds, _):
            let first = facts.firstAt ?? event.at
            beginsInLog = first.distance(to: event.at) > milliseconds
        case .launches(let count, _):
            beginsInLog = facts[event.device].launches >= count
        }
        return beginsInLog ? facts.incompleteReason(after: 0) : facts.incompleteReason
    }
}
