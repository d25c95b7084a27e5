import PurchaseEvents

/// An account holds one active plan in a subscription group.
///
/// When a line of an account starts, or starts again after a lapse, no other line of the account in
/// the same group and environment has access. Plans shared by the family don't count, nor what
/// came to the account by a link (G6.5).
struct OnePlanPerGroup: Rule {
    static let id = "one-plan-per-group"
    static let level = Level.warning
    static let statement = """
        An account holds one active plan in a subscription group, save through family sharing.
        """
    static let evidence = ["G6.5"]
    static let reads: EventTypes = []

    private struct Plan {
        var period: Period
        var line: Int
        var isStart: Bool

        /// The order of the sweep: of plans that begin together what goes on comes first, so that
        /// what starts is held against it.
        func precedes(_ other: Plan) -> Bool {
            if period.start != other.period.start { return period.start < other.period.start }
            return !isStart && other.isStart
        }
    }

    private struct Key: Hashable {
        var group: GroupID<Interned>
        var environment: Environment?
    }

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {}

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        var seen: Set<AccountID<Interned>> = []
        for line in facts.lines {
            guard let account = facts.owner(of: line.original), seen.insert(account).inserted
            else { continue }
            judge(account, facts, &report)
        }
    }

    private func judge(
        _ account: AccountID<Interned>, _ facts: Facts, _ report: inout Report
    ) {
        let lines = facts.lines(of: account)
        var plans: [Key: [Plan]] = [:]
        for (number, line) in lines.enumerated() {
            var end: Timestamp?
            for period in facts.periods(of: line) {
                let isStart = end.map { $0 < period.start } ?? true
                end = max(period.accessEnd, end ?? period.accessEnd)
                let transaction = period.transaction
                guard facts[transaction].ownership != .familyShared,
                    let group = facts[transaction].group
                        ?? period.product.flatMap({ facts[$0].group })
                else { continue }
                if isStart { report.test() }
                // A line alone has no other one to be held against.
                guard line.linkedLine == 0, lines.count > 1 else { continue }
                plans[
                    Key(group: group, environment: facts[transaction].environment), default: []
                ].append(Plan(period: period, line: number, isStart: isStart))
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

    /// Goes through plans by their starts, with the one that lasts longest so far, and the one that
    /// lasts longest of another line.
    private func sweep(
        _ plans: [Plan], _ account: AccountID<Interned>, _ facts: Facts, _ report: inout Report
    ) {
        var longest: Plan?
        var second: Plan?
        for plan in plans {
            let other = longest?.line == plan.line ? second : longest
            if plan.isStart, let other, other.period.accessEnd > plan.period.start {
                find(plan, other, account, facts, &report)
            }
            guard let top = longest else {
                longest = plan
                continue
            }
            if plan.period.accessEnd > top.period.accessEnd {
                if top.line != plan.line { second = top }
                longest = plan
            } else if plan.line != top.line,
                second.map({ $0.period.accessEnd < plan.period.accessEnd }) ?? true
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
        if let missed = facts.mayHaveMissed {
            return report.cannotTell("that a plan was ended or moved may be missing: \(missed)")
        }
        let pair = Neighbours(earlier: other.period, later: plan.period)
        let number = facts.line(of: pair)
        report.find(
            at: number, facts, account: account, key: facts.text(new),
            "\(facts.words(account)) starts \(facts.words(plan.period.product)) at "
                + "\(plan.period.start.text) while it has \(facts.words(other.period.product)) of "
                + "the same group to \(other.period.accessEnd.text): expected one plan in a group",
            notes: facts.notes(on: pair, besides: number),
            hint: "the account pays twice for one group, perhaps with two App Store accounts: "
                + "compare transactions \(facts.text(old)) and \(facts.text(new))")
    }
}
