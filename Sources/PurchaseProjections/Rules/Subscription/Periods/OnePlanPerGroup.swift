import PurchaseEvents

/// An account has one active plan in a subscription group (G6.5).
///
/// When a subscription of an account starts, or restarts after a lapse, no other subscription of
/// the account in the same group and environment may have access. Family sharing and assigned seats
/// do not count; a period whose ownership no statement names has that of the subscription's period
/// before. A subscription counts for the account that owned it at the time: receiving a
/// subscription by a link is not a start, but the received subscription counts as active. Between a
/// refund and its reversal a subscription is not active.
struct OnePlanPerGroup: CatalogueRule {
    static let level = Level.warning
    static let statement = """
        An account holds one active plan in a subscription group, except through family sharing \
        and assigned seats.
        """
    static let evidence = ["G6.5"]
    static let reads = EventTypes(.accountLinked)

    private var history = OwnerHistory()

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&history) }

    /// The part of a period during which one account owned its subscription.
    private struct Plan {
        var period: Period
        var key: Key
        var subscription: Int
        var isStart: Bool
        var from: Timestamp
        var until: Timestamp
        /// The line of the `account.linked` that gave the subscription to the account; 0 if there
        /// is none.
        var linkedLine: LineNumber

        /// The order of the sweep: of plans that begin together, those that continue come first, so
        /// that a start is compared with them.
        func precedes(_ other: Plan) -> Bool {
            if from != other.from { return from < other.from }
            return !isStart && other.isStart
        }
    }

    private struct Key: Hashable {
        var group: GroupHandle
        var environment: Environment?
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        history.observe(event, on: line.number, facts)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        var moved: [AccountHandle: [Plan]] = [:]
        for subscription in history.linkedSubscriptions {
            forEachPlan(of: subscription, facts, &report) { moved[$0, default: []].append($1) }
        }
        var isSeen = DenseTable(false)
        func judgeOnce(_ account: AccountHandle) {
            guard !isSeen[account.index] else { return }
            isSeen[account.index] = true
            judge(account, moved[account] ?? [], facts, &report)
        }
        for index in facts.subscriptions.indices {
            if history.isLinked(index) {
                for account in history.accounts(of: index, facts) { judgeOnce(account) }
            } else if let account = facts.owner(of: facts.subscriptions[index]) {
                judgeOnce(account)
            }
        }
    }

    /// Judges an account's subscriptions, and its time with subscriptions that were moved.
    private func judge(
        _ account: AccountHandle, _ moved: [Plan], _ facts: Facts, _ report: inout Report
    ) {
        let subscriptions = facts.subscriptionIndices(of: account).filter { !history.isLinked($0) }
        if subscriptions.count < 2, moved.isEmpty {
            // A single subscription has no other subscription to conflict with.
            for only in subscriptions { forEachPlan(of: only, facts, &report) { _, _ in } }
            return
        }
        var plans = Dictionary(grouping: moved) { $0.key }
        for subscription in subscriptions {
            forEachPlan(of: subscription, facts, &report) { _, plan in
                plans[plan.key, default: []].append(plan)
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

    /// Calls `body` with each part of a subscription's periods that one account owned; counts each
    /// start as a test.
    private func forEachPlan(
        of subscription: Int, _ facts: Facts, _ report: inout Report,
        _ body: (AccountHandle, Plan) -> Void
    ) {
        var end: Timestamp?
        var ownership = Ownership.purchased
        let isLinked = history.isLinked(subscription)
        let owners = isLinked ? history.owners(of: subscription, facts) : nil
        let sole = isLinked ? nil : facts.owner(of: facts.subscriptions[subscription])
        for period in facts.periods(ofSubscription: subscription).lazy.map(\.period) {
            let isStart = end.map { $0 < period.start } ?? true
            end = max(period.accessEnd, end ?? period.accessEnd)
            let transaction = period.transaction
            ownership = facts[transaction].ownership ?? ownership
            // A period that ends when it starts opens nothing.
            guard ownership == .purchased, period.start < min(period.end, period.accessEnd),
                let group = facts.group(of: period)
            else { continue }
            let key = Key(group: group, environment: facts[transaction].environment)
            func add(_ span: OwnerHistory.OwnerSpan) {
                let from = max(period.start, span.from)
                let until = min(period.accessEnd, span.until)
                let isBegun = span.contains(period.start)
                guard isBegun || from < until else { return }
                if isStart, isBegun { report.test() }
                var plan = Plan(
                    period: period, key: key, subscription: subscription,
                    isStart: isStart && isBegun, from: from, until: until, linkedLine: span.line)
                guard let refunded = facts.reversedRefund(of: transaction) else {
                    return body(span.account, plan)
                }
                plan.until = min(until, refunded.lowerBound)
                body(span.account, plan)
                (plan.isStart, plan.from, plan.until) = (false, refunded.upperBound, until)
                if plan.from < until { body(span.account, plan) }
            }
            if let sole { add(OwnerHistory.OwnerSpan(account: sole)) }
            guard let owners else { continue }
            let attested = facts.attestedLine(of: transaction)
            for span in owners.spans(within: period, attested: attested) { add(span) }
        }
    }

    /// Sweeps plans by start, tracking the plan that lasts longest and the one that lasts longest
    /// among other subscriptions.
    private func sweep(
        _ plans: [Plan], _ account: AccountHandle, _ facts: Facts, _ report: inout Report
    ) {
        var longest: Plan?
        var second: Plan?
        for plan in plans {
            let other = longest?.subscription == plan.subscription ? second : longest
            if plan.isStart, let other, other.until > plan.from {
                find(plan, other, account, facts, &report)
            }
            guard let top = longest else {
                longest = plan
                continue
            }
            if plan.until > top.until {
                if top.subscription != plan.subscription { second = top }
                longest = plan
            } else if plan.subscription != top.subscription,
                second.map({ $0.until < plan.until }) ?? true
            {
                second = plan
            }
        }
    }

    private func find(
        _ plan: Plan, _ other: Plan, _ account: AccountHandle, _ facts: Facts,
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
                + links.flatMap {
                    Finding.note($0, "then a line was linked to \(facts.describe(account))")
                },
            hint: "the account pays twice for one group, perhaps with two App Store accounts: "
                + "compare transactions \(facts.text(old)) and \(facts.text(new))")
    }
}
