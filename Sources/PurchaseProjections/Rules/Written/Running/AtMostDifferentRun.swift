import PurchaseEvents

/// Runs a rule that allows a limited number of different values among events with equal keys.
///
/// For each slot, the rule keeps every value, with its latest events.
struct AtMostDifferentRun: WrittenRun {
    private let phrases: RulePhrases
    private let most: Int
    private let span: RuleSpan?
    private let relation: EventRelation
    private var each: EventPattern
    private var join: JoinKey
    private var values: RecentValues

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&each).visit(&join).visit(&values)
    }

    init(_ phrases: RulePhrases, most: Int, _ relation: RuleRelation) {
        self.phrases = phrases
        self.most = most
        self.relation = EventRelation(relation)
        span = phrases.syntax.within
        each = EventPattern(phrases.syntax.each)
        join = JoinKey(phrases.syntax.same)
        values = RecentValues(span, isLenient: false)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard each.matches(event, on: line, facts) else { return }
        let slot = join.slots(of: event, facts).own
        guard slot != 0, let value = relation.value(of: event, facts) else { return }
        report.test()
        let number = values.number(of: value, in: slot)
        let isKnown =
            span == nil ? number != 0 : values.isWithinSpan(number, event, facts)
        if !isKnown, values.count(in: slot) >= most {
            judge(value, in: slot, event, on: line, facts, &report)
        }
        let mark = RuleMark(event, on: line, facts)
        values.store(mark, value, numbered: number, in: slot, facts)
    }

    private mutating func judge(
        _ value: Int64, in slot: Int, _ event: LogEvent, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        var recent: [RuleMark] = []
        var isLastRecent = false
        let limit = span == nil ? AtMostDifferentRun.mostNotes : max(16, 2 * most)
        let isCut = values.visitOthers(than: value, in: slot, upTo: limit, event, facts) {
            mark, _ in
            isLastRecent = mark.line != 0 && mark.isNear(event, span, facts)
            if isLastRecent { recent.append(mark) }
            return true
        }
        let count = span == nil ? values.count(in: slot) : recent.count
        guard count >= most else { return }
        recent.sort { $0.line < $1.line }
        let words = isCut && isLastRecent && span != nil ? "at least " : ""
        find(recent, words + String(count + 1), event, on: line, facts, &report)
    }

    /// The number of notes on other values.
    private static let mostNotes = 8

    private func find(
        _ recent: [RuleMark], _ count: String, _ event: LogEvent, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        if span?.isOfLaunches == true, let last = recent.first,
            let reason = facts.incompleteReason(after: last.line)
        {
            return report.cannotTell("whether the device was launched: \(reason)")
        }
        let syntax = phrases.syntax
        let key = syntax.relation?.key.wireName ?? ""
        phrases.find(
            event, on: line, facts, &report,
            " at \(event.at.text) has one of "
                + "\(count) different values of \(key)\(syntax.limit): expected at most "
                + "\(most) of \(syntax.each.text)\(RuleSyntax.join(syntax.same))\(syntax.limit)",
            notes: recent.suffix(AtMostDifferentRun.mostNotes).enumerated().map { index, mark in
                phrases.note(mark, index == 0 ? "let another value be that of" : "then")
            })
    }
}
