import PurchaseEvents

/// Runs a rule that allows a limited number of different values among events with equal keys.
///
/// For each slot, the rule keeps the latest values, one more than it allows, each with its latest
/// event.
struct AtMostDifferentRun: WrittenRun {
    private let phrases: RulePhrases
    private let most: Int
    private let span: RuleSpan?
    private let relation: EventRelation
    private var each: EventPattern
    private var join: JoinKey
    /// The latest event of each value, the latest value last.
    private var known = DenseTable<[Entry]>([])

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&each).visit(&join)
        known.visit(visitor) { visitor.visit(&$0) }
    }

    private struct Entry: Sendable {
        var value: Int64
        var mark: RuleMark
    }

    init(_ phrases: RulePhrases, most: Int, _ relation: RuleRelation) {
        self.phrases = phrases
        self.most = most
        self.relation = EventRelation(relation)
        span = phrases.syntax.within
        each = EventPattern(phrases.syntax.each)
        join = JoinKey(phrases.syntax.same)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard each.matches(event, on: line, facts) else { return }
        let slot = join.slots(of: event, facts).own
        guard slot != 0, let value = relation.value(of: event, facts) else { return }
        report.test()
        let entry = Entry(value: value, mark: RuleMark(event, on: line, facts))
        let last = known[slot].count - 1
        // Usually all events have one value.
        if last >= 0, known[slot][last].value == value,
            last == 0 || isRecent(known[slot][last], event, facts)
        {
            known[slot][last] = entry
            return
        }
        let recent = known[slot].filter { isRecent($0, event, facts) }
        known[slot].removeAll { $0.value == value }
        known[slot].append(entry)
        if known[slot].count > most + 1 { known[slot].removeFirst() }
        guard recent.count >= most, !recent.contains(where: { $0.value == value }) else { return }
        find(recent, event, on: line, facts, &report)
    }

    /// Whether an entry is no further from an event than the span, in either direction.
    private func isRecent(_ entry: Entry, _ event: LogEvent, _ facts: Facts) -> Bool {
        if case .time(let milliseconds, _) = span, event.at < entry.mark.at {
            return event.at.distance(to: entry.mark.at) <= milliseconds
        }
        return !entry.mark.isOver(span, at: event.at, facts)
    }

    private func find(
        _ recent: [Entry], _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let subject = phrases.subject(of: event, facts)
        if span?.isOfLaunches == true, let last = recent.first,
            let reason = facts.incompleteReason(after: last.mark.line)
        {
            return report.cannotTell("whether the device was launched: \(reason)")
        }
        let syntax = phrases.syntax
        let key = syntax.relation?.key.wireName ?? ""
        report.find(
            event, on: line, facts, account: phrases.account(of: event, facts),
            key: subject.key(facts.names),
            "\(event.type.wireName)\(subject.suffix(facts.names)) at \(event.at.text) has one of "
                + "\(recent.count + 1) different values of \(key)\(syntax.limit): expected at most "
                + "\(most) of \(syntax.each.text)\(RuleSyntax.join(syntax.same))\(syntax.limit)",
            notes: recent.suffix(8).enumerated().map { index, entry in
                phrases.note(entry.mark, index == 0 ? "let another value be that of" : "then")
            },
            hint: phrases.hint)
    }
}
