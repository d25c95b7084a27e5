import PurchaseEvents

/// An account has one active plan in a subscription group (G6.5).
///
/// When a line of an account starts, or restarts after a lapse, no other line of the account in the
/// same group and environment may have access. Family sharing and assigned seats do not count; a
/// period whose ownership no statement names has that of the line's period before. A line counts for the
/// account that owned it at the time: receiving a line by a link is not a start, but the received
/// line counts as active.
struct OnePlanPerGroup: CatalogueRule {
    static let id = "one-plan-per-group"
    static let level = Level.warning
    static let statement = """
        An account holds one active plan in a subscription group, except through family sharing \
        and assigned seats.
        """
    static let evidence = ["G6.5"]
    static let reads = EventTypes(.accountLinked)

    private var history = OwnerHistory()

    /// The part of a period during which one account owned its line.
    private struct Plan {
        var period: Period
        var key: Key
        var line: Int
        var isStart: Bool
        var from: Timestamp
        var until: Timestamp
        /// The line of the `account.linked` that gave the line to the account; 0 if there is none.
        var linkedLine: LineNumber

        /// The order of the sweep: of plans that begin together, those that continue come first, so
        /// that a start is compared with them.
        func precedes(_ other: Plan) -> Bool {
            if from != other.from { return from < other.from }
            return !isStart && other.isStart
        }
    }

    private struct Key: Hashable {
        var group: GroupID<Interned>
        var environment: Environment?
    }

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        history.observe(event, on: line.number, facts)
    }

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        var moved: [AccountID<Interned>: [Plan]] = [:]
        for line in history.linkedLines {
            forEachPlan(of: line, facts, &report) { moved[$0, default: []].append($1) }
        }
        var seen: Set<AccountID<Interned>> = []
        for (index, line) in facts.lines.enumerated() {
            if history.isLinked(index) {
                for account in history.accounts(of: index, facts)
                where seen.insert(account).inserted {
                    judge(account, moved[account] ?? [], facts, &report)
                }
            } else if let account = facts.owner(of: line.original), seen.insert(account).inserted {
                judge(account, moved[account] ?? [], facts, &report)
            }
        }
    }

    /// Judges an account's lines, and its time with lines that were moved.
    private func judge(
        _ account: AccountID<Interned>, _ moved: [Plan], _ facts: Facts, _ report: inout Report
    ) {
        let lines = facts.lines(of: account).compactMap { facts.lineIndex(of: $0.original) }
            .filter { !history.isLinked($0) }
        // A single line has no other line to conflict with.
        let isAlone = lines.count < 2 && moved.isEmpty
        var plans: [Key: [Plan]] = isAlone ? [:] : Dictionary(grouping: moved) { $0.key }
        for line in lines {
            forEachPlan(of: line, facts, &report) { _, plan in
                if !isAlone { plans[plan.key, default: []].append(plan) }
            }
        }
        let keys = plans.keys.sorted {
            ($0.group.index, $0.environment?.rawValue ?? "")
                < ($1.group.index, $1.environment?.rawValue ?? "")
        }
        for plans in keys.compactMap({ plans[$0] }) where plans.count > 1 {
            sweep(plans.sorted { $0.precedes($1) }, account, facts, &report)
        }
    }

    /// Calls `body` with each part of a line's periods that one account owned; counts each start as
    /// a test.
    private func forEachPlan(
        of line: Int, _ facts: Facts, _ report: inout Report,
        _ body: (AccountID<Interned>, Plan) -> Void
    ) {
        var end: Timestamp?
        var ownership = Ownership.purchased
        let owners =
            history.isLinked(line)
            ? history.owners(of: line, facts) : history.soleOwner(of: line, facts)
        for period in facts.periods(of: facts.lines[line]) {
            let isStart = end.map { $0 < period.start } ?? true
            end = max(period.accessEnd, end ?? period.accessEnd)
            let transaction = period.transaction
            ownership = facts[transaction].ownership ?? ownership
            guard ownership == .purchased, let group = facts.group(of: period) else { continue }
            let key = Key(group: group, environment: facts[transaction].environment)
            let attested = facts.attestedLine(of: transaction)
            for span in owners.spans(within: period, attested: attested) {
                let from = max(period.start, span.from)
                let until = min(period.accessEnd, span.until)
                let isBegun = span.contains(period.start)
                guard isBegun || from < until else { continue }
                if isStart, isBegun { report.test() }
                let plan = Plan(
                    period: period, key: key, line: line, isStart: isStart && isBegun, from: from,
                    until: until, linkedLine: span.line)
                body(span.account, plan)
            }
        }
    }

    /// Sweeps plans by start, tracking the plan that lasts longest and the one that lasts longest
    /// among other lines.
    private func sweep(
        _ plans: [Plan], _ account: AccountID<Interned>, _ facts: Facts, _ report: inout Report
    ) {
        var longest: Plan?
        var second: Plan?
        for plan in plans {
            let other = longest?.line == plan.line ? second : longest
            if plan.isStart, let other, other.until > plan.from {
                find(plan, other, account, facts, &report)
            }
            guard let top = longest else {
                longest = plan
                continue
            }
            if plan.until > top.until {
                if top.line != plan.line { second = top }
                longest = plan
            } else if plan.line != top.line,
                second.map({ $0.until < plan.until }) ?? true
            {
                second = plan
            }
        }
    }

    private func find(
        _ plan: Plan, _ other: Plan, _ account: AccountID<Interned>, _ facts: Facts,
        _ report: inout Report
    ) {
        let (new, old) = (plan.period.transaction, other.period.transaction)
        if let reason = facts.incompleteReason {
            return report.cannotTell("that a plan was ended or moved may be missing: \(reason)")
        }
        let pair = Neighbours(earlier: other.period, later: plan.period)
        let number = max(facts.line(of: pair), other.linkedLine, plan.linkedLine)
        let links = Set([other.linkedLine, plan.linkedLine]).subtracting([0, number]).sorted()
        report.find(
            at: number, facts, account: account, key: facts.text(new),
            "\(facts.describe(account)) starts \(facts.describe(plan.period.product)) at "
                + "\(plan.period.start.text) while it has \(facts.describe(other.period.product)) "
                + "of the same group to \(other.period.accessEnd.text): expected one plan in a "
                + "group",
            notes: facts.notes(on: pair, besides: number)
                + links.map {
                    Finding.Note(
                        line: $0, message: "then a line was linked to \(facts.describe(account))")
                },
            hint: "the account pays twice for one group, perhaps with two App Store accounts: "
                + "compare transactions \(facts.text(old)) and \(facts.text(new))")
    }
}
