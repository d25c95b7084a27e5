import PurchaseEvents

/// The earlier events of each slot that can be within a span of a later event.
///
/// Usually the latest event of a slot decides. When its span is over, the span of an older event
/// may still last: if that event has a greater `at`, or if its device wasn't launched since. So
/// each slot also keeps older events: by `at`, at most 64 with ever smaller times; by launches, the
/// latest event of each other device.
struct EarlierMarks: Sendable, Snapshotted {
    private let span: RuleSpan?
    /// Whether an event of which not everything is kept counts as within the span too often,
    /// instead of too rarely.
    private let isLenient: Bool
    private var latest = DenseTable(RuleMark())
    private var older = HandleMap(OlderMarks())
    /// By launches, the line of each device's older event, by slot and device.
    private var lines = HandleMap<LineNumber>(0)

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&latest).visit(&older).visit(&lines)
    }

    init(_ span: RuleSpan?, isLenient: Bool) { (self.span, self.isLenient) = (span, isLenient) }

    @inline(__always)
    mutating func store(_ mark: RuleMark, in slot: Int, _ facts: Facts) {
        if span != nil {
            let last = latest[slot]
            let isOrdinary = last.device == mark.device && last.at <= mark.at && older.isEmpty
            if !isOrdinary, last.line != 0 { keep(last, before: mark, slot, facts) }
        }
        latest[slot] = mark
    }

    /// The latest event of a slot, whether or not its span is over; line 0 if there is none.
    @inline(__always)
    func latest(in slot: Int) -> RuleMark { latest[slot] }

    /// The latest of the events stored under an event's slots; line 0 if there is none.
    func latest(_ slots: JoinKey.Slots) -> RuleMark {
        // Nothing is stored in slot 0.
        var mark = latest[slots.own]
        if slots.other != 0, latest[slots.other].line > mark.line { mark = latest[slots.other] }
        if slots.third != 0, latest[slots.third].line > mark.line { mark = latest[slots.third] }
        return mark
    }

    /// The latest of the events under an event's slots whose span isn't over; line 0 if there is
    /// none.
    @inline(__always)
    mutating func withinSpan(
        _ slots: JoinKey.Slots, _ event: LogEvent, _ facts: Facts
    ) -> RuleMark {
        var mark = withinSpan(slots.own, event, facts)
        if slots.other != 0 {
            let other = withinSpan(slots.other, event, facts)
            if other.line > mark.line { mark = other }
        }
        if slots.third != 0 {
            let third = withinSpan(slots.third, event, facts)
            if third.line > mark.line { mark = third }
        }
        return mark
    }

    /// The latest event of a slot whose span isn't over; line 0 if there is none.
    @inline(__always)
    mutating func withinSpan(_ slot: Int, _ event: LogEvent, _ facts: Facts) -> RuleMark {
        let mark = latest[slot]
        guard mark.line != 0, mark.isOver(span, at: event.at, facts) else { return mark }
        return older.isEmpty ? RuleMark() : olderWithinSpan(slot, event, facts)
    }

    private mutating func olderWithinSpan(
        _ slot: Int, _ event: LogEvent, _ facts: Facts
    ) -> RuleMark {
        let key = EarlierMarks.key(slot)
        guard span?.isOfLaunches == true else {
            return older[key]?.marks.last { !$0.isOver(span, at: event.at, facts) } ?? RuleMark()
        }
        while let mark = older[key]?.marks.last {
            if isKept(mark, slot), !mark.isOver(span, at: event.at, facts) { return mark }
            drop(mark, slot)
            older[orEmpty: key].marks.removeLast()
        }
        older.remove(key)
        return RuleMark()
    }

    /// Keeps the event that was the latest of a slot until now, where a later event may need it,
    /// and drops those that the new event makes superfluous.
    private mutating func keep(
        _ mark: RuleMark, before next: RuleMark, _ slot: Int, _ facts: Facts
    ) {
        guard span?.isOfLaunches != true else {
            keep(mark, beforeDevice: next, slot, facts)
            return
        }
        if next.at < mark.at {
            older[orEmpty: EarlierMarks.key(slot)].append(mark, isLenient: isLenient)
        } else if !older.isEmpty {
            let key = EarlierMarks.key(slot)
            while let last = older[key]?.marks.last, last.at <= next.at {
                older[orEmpty: key].marks.removeLast()
            }
            if older[key]?.marks.isEmpty == true { older.remove(key) }
        }
    }

    private mutating func keep(
        _ mark: RuleMark, beforeDevice next: RuleMark, _ slot: Int, _ facts: Facts
    ) {
        guard mark.device != next.device else { return }
        lines.remove(EarlierMarks.key(slot, next.device))
        guard !mark.isOver(span, at: next.at, facts) else { return }
        lines[EarlierMarks.key(slot, mark.device)] = mark.line
        let key = EarlierMarks.key(slot)
        older[orEmpty: key].marks.append(mark)
        if older[orEmpty: key].isFull { tidy(slot, facts) }
    }

    /// Removes the events that no longer count, once they may be half of a slot's older ones.
    private mutating func tidy(_ slot: Int, _ facts: Facts) {
        let key = EarlierMarks.key(slot)
        let marks = older[key]?.marks ?? []
        var kept: [RuleMark] = []
        for mark in marks {
            if isKept(mark, slot), !mark.isOver(span, at: mark.at, facts) {
                kept.append(mark)
            } else {
                drop(mark, slot)
            }
        }
        older[orEmpty: key].replace(by: kept)
    }

    /// Whether an older event is still the latest of its device.
    private func isKept(_ mark: RuleMark, _ slot: Int) -> Bool {
        lines[EarlierMarks.key(slot, mark.device)] == mark.line
    }

    private mutating func drop(_ mark: RuleMark, _ slot: Int) {
        if isKept(mark, slot) { lines.remove(EarlierMarks.key(slot, mark.device)) }
    }

    private static func key(_ slot: Int, _ device: UInt32 = 0) -> HandleKey {
        HandleKey(UInt32(truncatingIfNeeded: slot), device)
    }
}

/// Older events of a slot in the order of the log.
private struct OlderMarks: Sendable, Snapshotted {
    private(set) var limit = 8
    var marks: [RuleMark] = []

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&limit).visit(&marks) }

    /// The number of events with ever smaller times that are kept.
    private static let mostTimes = 64

    /// Whether so many events were added that it is time to look which ones still count.
    var isFull: Bool { marks.count >= limit }

    mutating func replace(by kept: [RuleMark]) {
        marks = kept
        limit = max(8, 2 * kept.count)
    }

    /// Adds an event with a smaller time than all before.
    ///
    /// If there are too many, the two earliest become one: a lenient one with the greater time and
    /// the later line, or else the first of the two.
    mutating func append(_ mark: RuleMark, isLenient: Bool) {
        marks.append(mark)
        guard marks.count > OlderMarks.mostTimes else { return }
        if isLenient { marks[0].line = marks[1].line }
        marks.remove(at: 1)
    }
}
