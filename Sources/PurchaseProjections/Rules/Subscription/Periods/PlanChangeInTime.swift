import PurchaseEvents

/// A plan change takes effect when the App Store said it would (G6.5).
///
/// With the effect `now`, a period of the new product begins within a day. With `nextRenewal`, the
/// next renewal is of the new product, unless the plan was changed again first or the change came
/// in the last 24 hours, when the store already renews. The next renewal may come after a lapse,
/// and the period before it need not be known; a start is not a renewal. Unless the log says
/// `renewal.renewed`, a period is no renewal either if it follows the subscription's expiry, or if
/// it replaces another product's period more than a day before its end. An upgrade to a higher
/// level of the group is never deferred. A change at the next renewal to the plan in force only
/// takes back the one before it: a later change away from that plan may be unheard.
///
/// A renewal of another product is a note where the change may have been taken back unheard: only a
/// page lists the renewal, and pages state no preferences, or the next statement keeps its product.
struct PlanChangeInTime: CatalogueRule {
    static let level = Level.warning
    static let statement = """
        A change of plan with effect now acts at once, one with effect nextRenewal at the next \
        renewal, also after a lapse; an upgrade is never put off. A renewal of another plan is a \
        note where the log may lack a statement that took the change back.
        """
    static let evidence = ["G6.5"]
    static let reads = EventTypes(
        .renewalPlanChanged, .renewalStarted, .renewalRenewed, .renewalExpired)

    private struct Change {
        var payload: RenewalPlanChanged<Interned>
        var at: Timestamp
        var line: LineNumber
        var isOfProduction: Bool
    }

    private var changes: [TransactionHandle: [Change]] = [:]
    private var started = TransactionSet(), renewed = TransactionSet()
    /// The times at which a subscription expired, by its original.
    private var expiries: [TransactionHandle: [Timestamp]] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&changes).visit(&started).visit(&renewed).visit(&expiries)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .renewalPlanChanged, case .renewalPlanChanged(let payload) = event.fact {
            report.test()
            changes[payload.original, default: []].append(
                Change(
                    payload: payload, at: event.signedAt ?? event.at, line: line.number,
                    isOfProduction: facts.environment(of: event) == .production))
        } else if event.type == .renewalExpired, let original = event.fact.original {
            expiries[original, default: []].append(event.signedAt ?? event.at)
        } else if let transaction = event.transaction {
            if event.type == .renewalStarted {
                started.insert(transaction)
            } else {
                renewed.insert(transaction)
            }
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for original in changes.keys { expiries[original]?.sort() }
        for original in changes.keys.sorted(by: { $0.index < $1.index }) {
            let index = facts.subscriptionIndex(of: original)
            let subscription = index.map { facts.subscriptions[$0] }
            // Environments never mix (G9.3).
            let changes = (changes[original] ?? []).filter {
                subscription?.firstTransaction == nil
                    || subscription?.isOfProduction == $0.isOfProduction
            }.sorted { ($0.at, $0.line) < ($1.at, $1.line) }
            let periods = SubscriptionPeriods(
                index.map { facts.ownPeriods(ofSubscription: $0) } ?? [])
            for (index, change) in changes.enumerated() {
                let next = index + 1 < changes.count ? changes[index + 1] : nil
                switch change.payload.effect {
                case .now: judgeNow(change, until: next, periods, facts, &report)
                case .nextRenewal: judgeRenewal(change, until: next, periods, facts, &report)
                }
            }
        }
    }

    private func judgeNow(
        _ change: Change, until next: Change?, _ periods: SubscriptionPeriods, _ facts: Facts,
        _ report: inout Report
    ) {
        let latest = change.at.advanced(byMilliseconds: Timestamp.day)
        let isInEffect =
            periods.reach(of: change.payload.next, startedBy: latest)
            .map { $0 > change.at } ?? false
        guard !isInEffect, next.map({ $0.at > latest }) ?? true else { return }
        let other = periods.first(after: change.at)
        guard other != nil || facts.greatestAt.map({ $0 > latest }) ?? false else { return }
        if let reason = facts.incompleteReason {
            return report.cannotTell("the period of a new plan may be missing: \(reason)")
        }
        if let other, other.product == change.payload.next, other.start > latest {
            return findLate(change, other, latest, facts, &report)
        }
        find(change, other, "at once", facts, &report)
    }

    private func judgeRenewal(
        _ change: Change, until next: Change?, _ periods: SubscriptionPeriods, _ facts: Facts,
        _ report: inout Report
    ) {
        let current = periods.last(by: change.at)
        if let from = change.payload.product ?? current?.product {
            if from == change.payload.next { return }
            if let level = facts[from].level, let higher = facts[change.payload.next].level,
                higher < level
            {
                return findPutOff(change, from, facts, &report)
            }
        }
        guard let renewal = periods.first(after: change.at),
            renewal.product != change.payload.next,
            next.map({ $0.at > renewal.start && !replaced($0, by: renewal) }) ?? true,
            change.at < renewal.start.advanced(byMilliseconds: -Timestamp.day),
            facts[renewal.transaction].payment == nil, !isStart(renewal, after: change, periods)
        else { return }
        if !facts.notUnderstoodLines.isEmpty, let reason = facts.incompleteReason {
            return report.cannotTell("another change of plan may be missing: \(reason)")
        }
        let isCertain =
            renewed.contains(renewal.transaction) && next?.payload.next != renewal.product
        let level = isCertain ? nil : Level.note
        find(change, renewal, "at the next renewal", facts, level: level, &report)
    }

    /// Whether a period isn't the renewal that a change waits for: the subscription started or
    /// expired first, or another change acted at once.
    private func isStart(
        _ period: Period, after change: Change, _ periods: SubscriptionPeriods
    ) -> Bool {
        if started.contains(period.transaction) { return true }
        if renewed.contains(period.transaction) { return false }
        let expiries = expiries[change.payload.original] ?? []
        let place = expiries.lowerBound { $0 > change.at }
        let hasExpired = place < expiries.count && expiries[place] < period.start
        let before = periods.last(by: period.start.advanced(byMilliseconds: -1))
        return hasExpired || before.map { replaces($0, period) } ?? false
    }

    /// Whether a period replaces another product's more than a day before its end.
    private func replaces(_ before: Period, _ period: Period) -> Bool {
        before.product != period.product
            && before.end > period.start.advanced(byMilliseconds: Timestamp.day)
    }

    /// Whether an immediate change began a period; the change may be stated up to a day later.
    private func replaced(_ change: Change, by period: Period) -> Bool {
        change.payload.effect == .now && change.payload.next == period.product
            && change.at <= period.start.advanced(byMilliseconds: Timestamp.day)
    }

    private func find(
        _ change: Change, _ period: Period?, _ when: String, _ facts: Facts, level: Level? = nil,
        _ report: inout Report
    ) {
        let text = facts.text(change.payload.original)
        let whose = facts.ownerSuffix(facts.owner(of: change.payload.original))
        let next = facts.describe(change.payload.next)
        let seen =
            period.map {
                "transaction \(facts.text($0.transaction)) then began a period of "
                    + "\(facts.describe($0.product)) at \($0.start.text)"
            } ?? "no period of it followed within a day"
        report.find(
            at: period.map { facts.attestedLine(of: $0.transaction) } ?? change.line, facts,
            level: level, account: facts.owner(of: change.payload.original), key: text,
            "line \(text)\(whose) changes to \(next) \(when), but \(seen): expected a period of "
                + "\(next)",
            notes: period == nil ? [] : told(change, when, facts),
            hint: level == .note
                ? "look for a statement that took the change back and was not recorded: without "
                    + "one, the user has the wrong plan"
                : "the user may have the wrong plan: look at the auto-renew preference in the "
                    + "newest receipt")
    }

    private func findLate(
        _ change: Change, _ period: Period, _ latest: Timestamp, _ facts: Facts,
        _ report: inout Report
    ) {
        let text = facts.text(change.payload.original)
        let next = facts.describe(change.payload.next)
        let account = facts.owner(of: change.payload.original)
        report.find(
            at: facts.attestedLine(of: period.transaction), facts, account: account, key: text,
            "line \(text)\(facts.ownerSuffix(account)) changes to \(next) at once, but transaction "
                + "\(facts.text(period.transaction)) began its first period of it at "
                + "\(period.start.text): expected one by \(latest.text)",
            notes: told(change, "at once", facts),
            hint: "the user had the wrong plan meanwhile: look at when the App Store was asked for "
                + "the change")
    }

    private func told(_ change: Change, _ when: String, _ facts: Facts) -> [Finding.Note] {
        let original = change.payload.original
        return Finding.note(
            change.line,
            "let line \(facts.text(original))\(facts.ownerSuffix(facts.owner(of: original))) "
                + "change to \(facts.describe(change.payload.next)) \(when), as stated at "
                + change.at.text)
    }

    private func findPutOff(
        _ change: Change, _ from: ProductHandle, _ facts: Facts, _ report: inout Report
    ) {
        let text = facts.text(change.payload.original)
        let account = facts.owner(of: change.payload.original)
        report.find(
            at: change.line, facts, account: account, key: text,
            "line \(text)\(facts.ownerSuffix(account)) changes from "
                + "\(facts.describe(from)) to \(facts.describe(change.payload.next)) at the next "
                + "renewal, which is an upgrade: expected the effect now",
            notes: [from, change.payload.next].flatMap { product in
                Finding.note(
                    facts[product].listedLine,
                    "let \(facts.describe(product)) be of level \(facts[product].level ?? 0)")
            },
            hint: "a user who upgrades pays for the higher level at once and should have it: look "
                + "at the levels in the catalogue")
    }
}
