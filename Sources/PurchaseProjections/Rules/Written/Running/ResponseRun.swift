import PurchaseEvents

/// Runs a rule of the form `is followed by`, which waits for another event after each event.
///
/// Waits are stored in a pool, each in one list for every kind of event that can end it: the event
/// that must follow, `before`, `unless`, and a launch of the device. Clauses with the same keys
/// share a list, and so the slots of one ``JoinKey``. Memory is proportional to the open waits.
struct ResponseRun: WrittenRun {
    private let phrases: RulePhrases
    private let span: RuleSpan?
    private var each: EventPattern, other: EventPattern
    private var before: EventPattern?, unless: EventPattern?
    private var join: JoinKey
    /// The keys of `before` and `unless`, if they have lists of their own.
    private var beforeJoin: JoinKey, unlessJoin: JoinKey
    private let relation: EventRelation?
    private var waits: WaitPool
    /// The first thousand lines that weren't understood, each with the greatest time so far.
    private var unclear: [(line: LineNumber, at: Timestamp)] = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&each).visit(&other)
        before?.visitFields(visitor)
        unless?.visitFields(visitor)
        visitor.visit(&join).visit(&beforeJoin).visit(&unlessJoin).visit(&waits).visit(&unclear)
    }

    init(_ phrases: RulePhrases, other: EventPhrase) {
        let syntax = phrases.syntax
        self.phrases = phrases
        span = syntax.within
        each = EventPattern(syntax.each, after: syntax.after)
        relation = syntax.relation.map { EventRelation($0) }
        self.other = EventPattern(other)
        before = syntax.before.map { EventPattern($0.event) }
        unless = syntax.unless.map { EventPattern($0.event) }
        join = JoinKey(syntax.same)
        beforeJoin = JoinKey(syntax.before?.same ?? [])
        unlessJoin = JoinKey(syntax.unless?.same ?? [])
        let isPlain = syntax.relation == nil
        waits = WaitPool(
            before: syntax.before.map { isPlain && $0.same == syntax.same ? .other : .before },
            unless: syntax.unless.map { isPlain && $0.same == syntax.same ? .other : .unless },
            order: relation?.order, launches: syntax.within?.launches)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .appLaunched, span?.isOfLaunches == true {
            launch(event, on: line, facts, &report)
        }
        let isEach = each.matches(event, on: line, facts)
        if !waits.isEmpty { end(event, on: line, facts, &report) }
        guard isEach else { return }
        let slots = join.slots(of: event, facts)
        guard slots.own != 0 else { return }
        var value: Int64 = 0
        if let relation {
            guard let own = relation.value(of: event, facts) else { return }
            value = own
        }
        report.test()
        waits.add(
            Wait(
                mark: RuleMark(event, on: line, facts), subject: phrases.subject(of: event, facts),
                account: phrases.account(of: event, facts), value: value),
            other: slots.own,
            before: waits.before == .before ? beforeJoin.slots(of: event, facts).own : 0,
            unless: waits.unless == .unless ? unlessJoin.slots(of: event, facts).own : 0)
    }

    private mutating func slots(
        of event: LogEvent, in list: WaitPool.List, _ facts: Facts
    ) -> JoinKey.Slots {
        switch list {
        case .other, .device: join.slots(of: event, facts)
        case .before: beforeJoin.slots(of: event, facts)
        case .unless: unlessJoin.slots(of: event, facts)
        }
    }

    /// Ends the waits that an event answers, excuses or cuts off.
    private mutating func end(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if other.matches(event, on: line, facts) {
            let slots = join.slots(of: event, facts)
            for wait in answered(event, slots, facts)
            where wait.mark.isOver(span, at: event.at, facts) {
                find(wait, Finding.Note(event, line, "then", "came too late"), facts, &report)
            }
        }
        if unless?.matches(event, on: line, facts) == true, let list = waits.unless {
            let ended = waits.end(list, slots(of: event, in: list, facts))
            for wait in ended where wait.mark.isOver(span, at: event.at, facts) {
                find(wait, Finding.Note(event, line, "by", "the time was over"), facts, &report)
            }
        }
        if before?.matches(event, on: line, facts) == true, let list = waits.before {
            for wait in waits.end(list, slots(of: event, in: list, facts)) {
                find(wait, Finding.Note(event, line, "then", "came first"), facts, &report)
            }
        }
    }

    private mutating func answered(
        _ event: LogEvent, _ slots: JoinKey.Slots, _ facts: Facts
    ) -> InlineList<Wait> {
        guard let relation else { return waits.end(.other, slots) }
        guard let value = relation.value(of: event, facts) else { return InlineList() }
        return waits.end(related: value, slots)
    }

    /// Ends the waits whose launches have run out.
    private mutating func launch(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let device = Facts.index(of: event.device)
        for wait in waits.end(device: device, launch: facts[event.device].launches) {
            find(wait, Finding.Note(event, line, "then", "came first"), facts, &report)
        }
    }

    mutating func observeNotUnderstood(_ line: LineNumber, facts: Facts, report: inout Report) {
        guard unclear.count < 1_000 else { return }
        unclear.append((line, facts.greatestAt ?? Timestamp(milliseconds: .min)))
    }

    mutating func finish(facts: Facts, report: inout Report) {
        var open: [Wait] = []
        for wait in waits.all.sorted(by: { $0.mark.line < $1.mark.line }) {
            let isOver =
                span == nil && before == nil
                || facts.greatestAt.map { wait.mark.isOver(span, at: $0, facts) } ?? false
            guard isOver else {
                open.append(wait)
                continue
            }
            let end = facts.greatestAt.map { " at \($0.text)" } ?? ""
            let note = Finding.Note(
                line: facts.latestLine, message: "then the log ends\(end), without it")
            find(wait, note, facts, &report)
        }
        guard let first = open.first else { return }
        let count = open.count == 1 ? "one event waits" : "\(open.count) events wait"
        report.cannotTell(
            "\(count) for \(phrases.other) at the end of the log, line \(first.mark.line) "
                + "first, and the time isn't over")
    }

    private func find(_ wait: Wait, _ note: Finding.Note, _ facts: Facts, _ report: inout Report) {
        let name = wait.subject.name(of: wait.mark.type, facts.names)
        if let reason = reason(after: wait.mark, facts) {
            return report.cannotTell("no \(phrases.other) is seen after \(name); \(reason)")
        }
        report.find(
            at: wait.mark.line, facts, account: wait.account, key: wait.subject.key(facts.names),
            "\(name) at \(wait.mark.at.text) is not followed by \(phrases.syntax.other?.text ?? "")"
                + "\(phrases.syntax.limit): expected \(phrases.other)\(phrases.syntax.conditions)",
            notes: [note], hint: phrases.hint)
    }

    /// The reason why the expected event may be missing from the log; `nil` if every line that
    /// wasn't understood came too late.
    private func reason(after mark: RuleMark, _ facts: Facts) -> String? {
        guard let reason = facts.incompleteReason(after: mark.line) else { return nil }
        guard case .time(let milliseconds, _) = span else { return reason }
        let first = unclear[unclear.lowerBound { $0.line > mark.line }...].first
        guard let first, mark.at.distance(to: first.at) > milliseconds else { return reason }
        return nil
    }
}

extension Finding.Note {
    fileprivate init(_ event: LogEvent, _ line: Line, _ start: String, _ end: String) {
        self.init(
            line: line.number,
            message: "\(start) \(event.type.wireName) at \(event.at.text) \(end)")
    }
}
