import PurchaseEvents

/// Runs a rule that allows a limited number of events with equal keys.
///
/// The rule keeps as many events for each slot as it allows. If the oldest of them may be out of
/// the span while others before it aren't, as there are several devices or `at` went back, the rule
/// keeps more.
struct AtMostRun: WrittenRun {
    private let phrases: RulePhrases
    private let most: Int
    private let span: RuleSpan?
    private var each: EventPattern
    private var join: JoinKey
    private var rings = DenseTable(Ring())

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&each).visit(&join).visit(&rings)
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
        if span != nil, rings[slot].isMixed || isOutOfOrder(mark, in: slot) {
            return observeMixed(mark, in: slot, event, on: line, facts, &report)
        }
        guard rings[slot].marks.count == most else {
            rings[slot].marks.append(mark)
            return
        }
        let latest = rings[slot].latest
        let oldest = rings[slot].replaceOldest(by: mark)
        guard !oldest.isOver(span, at: event.at, facts) else { return }
        find(oldest, latest, event, on: line, facts, &report)
    }

    /// Whether the span of an event may end before that of the event before.
    private func isOutOfOrder(_ mark: RuleMark, in slot: Int) -> Bool {
        guard !rings[slot].marks.isEmpty else { return false }
        let latest = rings[slot].latest
        return span?.isOfLaunches == true ? mark.device != latest.device : mark.at < latest.at
    }

    /// Judges and stores an event among events whose spans may end in any order.
    private mutating func observeMixed(
        _ mark: RuleMark, in slot: Int, _ event: LogEvent, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        if !rings[slot].isMixed { rings[slot].mix() }
        var count = 0
        var oldest = mark, latest = mark
        for known in rings[slot].marks.reversed() where known.isNear(event, span, facts) {
            if count == 0 { latest = known }
            oldest = known
            count += 1
            if count == most { break }
        }
        if rings[slot].marks.count >= Ring.capacity(most) {
            // A launch isn't undone, so nobody needs to look at the events before it again.
            if let span, span.isOfLaunches {
                rings[slot].marks.removeAll { $0.isOver(span, at: event.at, facts) }
            }
            rings[slot].makeRoom(for: mark, most)
        }
        rings[slot].marks.append(mark)
        if count == most { find(oldest, latest, event, on: line, facts, &report) }
    }

    private func find(
        _ oldest: RuleMark, _ latest: RuleMark, _ event: LogEvent, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        if span?.isOfLaunches == true, let reason = facts.incompleteReason(after: oldest.line) {
            return report.cannotTell("whether the device was launched: \(reason)")
        }
        var notes = [phrases.note(oldest, most == 1 ? "let" : "let the first be")]
        if most > 1 { notes.append(phrases.note(latest, "then the latest before this was")) }
        let syntax = phrases.syntax
        phrases.find(
            event, on: line, facts, &report,
            " at \(event.at.text) is one of "
                + "\(most + 1)\(syntax.limit): expected at most \(most) \(syntax.each.text)"
                + "\(syntax.joining)\(syntax.limit)",
            notes: notes)
    }
}

private struct Ring: Sendable, SnapshottedElement {
    /// The events: in a ring buffer where the next event overwrites the oldest, or, if they are
    /// mixed, in the order of the log.
    var marks: [RuleMark] = []
    private var next = 0
    /// Whether the spans of the events may end in another order than they begin.
    private(set) var isMixed = false

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&marks).visit(&next).visit(&isMixed)
    }

    /// How many mixed events are kept where `most` are allowed.
    static func capacity(_ most: Int) -> Int { max(16, 2 * most) }

    /// The latest event.
    ///
    /// - Precondition: There are events.
    var latest: RuleMark { marks[next == 0 ? marks.count - 1 : next - 1] }

    /// Replaces the oldest event of a full buffer, and returns it.
    mutating func replaceOldest(by mark: RuleMark) -> RuleMark {
        let oldest = marks[next]
        marks[next] = mark
        next = next + 1 == marks.count ? 0 : next + 1
        return oldest
    }

    mutating func mix() {
        marks = Array(marks[next...] + marks[..<next])
        (next, isMixed) = (0, true)
    }

    /// Removes an event if there are too many: one of the new event's device if it has as many as
    /// are allowed, so that one device doesn't displace the others; otherwise the oldest.
    mutating func makeRoom(for mark: RuleMark, _ most: Int) {
        guard marks.count >= Ring.capacity(most) else { return }
        let own = marks.count { $0.device == mark.device }
        let place = own < most ? 0 : marks.firstIndex { $0.device == mark.device }
        marks.remove(at: place ?? 0)
    }
}
