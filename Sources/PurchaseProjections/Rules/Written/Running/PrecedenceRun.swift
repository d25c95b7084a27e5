import PurchaseEvents

/// Runs a rule that looks back from an event.
///
/// The forms are `is preceded by`, `is not preceded by`, and `is not followed by`, which looks back
/// from the event that must not follow.
///
/// The latest event of each kind within the span decides, which is usually the latest of all: see
/// ``EarlierMarks``.
struct PrecedenceRun: WrittenRun {
    private let phrases: RulePhrases
    private let isNegative: Bool
    /// Whether the rule is about the earlier of the two events.
    private let testsEarlier: Bool
    private let span: RuleSpan?
    private var later: EventPattern, earlier: EventPattern
    private var before: EventPattern?, unless: EventPattern?
    private var join: JoinKey, beforeJoin: JoinKey, unlessJoin: JoinKey
    private var marks: EarlierMarks
    /// The relation of the earlier event to the later one, and the earlier events by slot: without
    /// a span, and with one.
    private let relation: EventRelation?
    private var related = DenseTable(RelatedMarks())
    private var values: RecentValues
    private var befores: EarlierMarks, excuses: EarlierMarks

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&later).visit(&earlier)
        before?.visitFields(visitor)
        unless?.visitFields(visitor)
        visitor.visit(&join).visit(&beforeJoin).visit(&unlessJoin).visit(&marks).visit(&related)
        visitor.visit(&values).visit(&befores).visit(&excuses)
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
        // What isn't kept must not make a finding.
        marks = EarlierMarks(span, isLenient: !isNegative)
        values = RecentValues(span, isLenient: !isNegative)
        befores = EarlierMarks(nil, isLenient: false)
        excuses = EarlierMarks(isNegative ? nil : span, isLenient: true)
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
            let slot = beforeJoin.slots(of: event, facts).own
            if slot != 0 { befores.store(RuleMark(event, on: line, facts), in: slot, facts) }
        }
        if unless?.matches(event, on: line, facts) == true {
            let slot = unlessJoin.slots(of: event, facts).own
            if slot != 0 { excuses.store(RuleMark(event, on: line, facts), in: slot, facts) }
        }
    }

    /// Stores an earlier event under its slot; `false` if the event lacks the key of the relation.
    @inline(__always)
    private mutating func store(
        _ event: LogEvent, on line: Line, _ slot: Int, _ facts: Facts
    ) -> Bool {
        let mark = RuleMark(event, on: line, facts)
        guard let relation else {
            marks.store(mark, in: slot, facts)
            return true
        }
        guard let value = relation.value(of: event, facts) else { return false }
        if span == nil {
            related[slot].store(mark, value, relation)
        } else {
            let number = values.number(of: value, in: slot)
            values.store(mark, value, numbered: number, in: slot, facts)
        }
        return true
    }

    /// The earlier event of a later one: the latest within the span, and the latest of all; line 0
    /// means that there is none.
    private struct Earlier {
        var mark = RuleMark(), latest = RuleMark()
        /// Whether there are events that weren't looked at.
        var isCut = false
    }

    /// The number of other values that are looked at for one event.
    private static let mostValues = 16

    /// The earlier event of a later one; `nil` if the later one lacks the key of the relation.
    private mutating func earlier(
        _ event: LogEvent, _ slots: JoinKey.Slots, _ facts: Facts
    ) -> Earlier? {
        guard let relation else {
            let mark = marks.withinSpan(slots, event, facts)
            return Earlier(mark: mark, latest: mark.line != 0 ? mark : marks.latest(slots))
        }
        guard let value = relation.value(of: event, facts) else { return nil }
        var earlier = Earlier()
        // Nothing is stored in slot 0.
        for slot in [slots.own, slots.other, slots.third] where slot != 0 {
            guard span != nil else {
                let mark = related[slot].mark(for: value, relation)
                if mark.line > earlier.mark.line { (earlier.mark, earlier.latest) = (mark, mark) }
                continue
            }
            let isCut = values.visitOthers(
                than: value, in: slot, upTo: PrecedenceRun.mostValues, event, facts
            ) { mark, latest in
                if mark.line > earlier.mark.line { earlier.mark = mark }
                if latest.line > earlier.latest.line { earlier.latest = latest }
                // The values that follow have earlier events.
                return mark.line != latest.line
            }
            if isCut { earlier.isCut = true }
        }
        return earlier
    }

    private mutating func judge(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let slots = join.slots(of: event, facts)
        guard slots.own != 0 || slots.other != 0 || slots.third != 0 else { return }
        guard let earlier = earlier(event, slots, facts) else { return }
        if !testsEarlier { report.test() }
        var ended = RuleMark(), excuse = RuleMark()
        if before != nil { ended = befores.latest(beforeJoin.slots(of: event, facts)) }
        if unless != nil {
            excuse = excuses.withinSpan(unlessJoin.slots(of: event, facts), event, facts)
        }
        // An event that is one of the two does not come between them.
        let mark = earlier.mark
        let precedes = mark.line != 0 && mark.line >= ended.line
        if isNegative {
            guard precedes, excuse.line <= mark.line else { return }
            find(mark, event, on: line, facts, &report)
        } else {
            let isExcused = excuse.line != 0 && excuse.line >= ended.line
            guard !precedes, !isExcused, !earlier.isCut else { return }
            findMissing((earlier.latest, ended), event, on: line, facts, &report)
        }
    }

    private func find(
        _ mark: RuleMark, _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        // A line that wasn't understood may hold an event that excuses this one.
        if before != nil || unless != nil || span?.isOfLaunches == true,
            let reason = facts.incompleteReason(after: mark.line)
        {
            return report.cannotTell(
                "whether \(phrases.name(of: event, facts)) was allowed again: \(reason)")
        }
        phrases.find(
            event, on: line, facts, &report,
            " comes after \(mark.type.wireName): expected none after it"
                + phrases.syntax.conditions,
            notes: [phrases.note(mark, "let")])
    }

    private func findMissing(
        _ kept: (mark: RuleMark, ended: RuleMark), _ event: LogEvent, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        if let reason = reason(since: kept.ended, event, facts) {
            return report.cannotTell(
                "no \(phrases.other) is seen before \(phrases.name(of: event, facts)); \(reason)")
        }
        var notes: [Finding.Note] = []
        if kept.mark.line != 0 { notes.append(phrases.note(kept.mark, "let")) }
        if kept.ended.line != 0 { notes.append(phrases.note(kept.ended, "then came")) }
        phrases.find(
            event, on: line, facts, &report,
            " at \(event.at.text) is not preceded by \(phrases.syntax.other?.text ?? ""): "
                + "expected \(phrases.other)\(phrases.syntax.conditions) before it",
            notes: notes.sorted { $0.line < $1.line })
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
            // The earlier event may be of any device, unless it must be of this one.
            beginsInLog =
                phrases.syntax.same.contains(.device) && facts[event.device].launches >= count
        }
        return beginsInLog ? facts.incompleteReason(after: 0) : facts.incompleteReason
    }
}
