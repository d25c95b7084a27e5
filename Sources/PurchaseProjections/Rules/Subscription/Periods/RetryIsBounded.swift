import PurchaseEvents

/// Billing retry ends after 60 days, and access in a grace period ends at its date (G6.6).
///
/// The store retries for up to 60 days after the first failure, 90 in a subscription of plan
/// monthly by then, so no retrying failure and no renewal comes later, whether it says that it
/// recovered the subscription or not; but a renewal that the store states before its date follows a
/// period that the log lacks, and says nothing of the retry. A retry without a known end by then is
/// a note, because a statement of its end may still arrive. A use after a grace period that nothing
/// followed is a finding.
struct RetryIsBounded: CatalogueRule {
    static let level = Level.warning
    static let statement = """
        Billing retry lasts at most 60 days (90 in a line of plan monthly), whether the failure \
        says retrying or leaves it out, and access in a grace period ends by its date; a retry \
        with no end in the log by then is noted.
        """
    static let evidence = ["G6.6"]
    static let reads = EventTypes(
        .renewalFailed, .renewalRenewed, .renewalExpired, .contentOpened, .deliveryUnlocked)

    private struct Step {
        enum Kind { case failed, ended, expired, renewed }
        var kind: Kind
        var at: Timestamp
        var line: LineNumber
        /// Whether the store retries after the step.
        var isRetrying = true
        var isOfProduction: Bool
        /// The end of the grace period that a failure states, or of the period that a step begins.
        var end: Timestamp?
    }

    /// The steps of each subscription with a failed renewal, by original.
    private var steps: [TransactionHandle: [Step]] = [:]
    private var renewed = TransactionSet(), renewedEarly = TransactionSet()
    private var knowsGrace = false
    private var waiting = UncoveredUses()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&steps).visit(&renewed).visit(&renewedEarly).visit(&knowsGrace)
            .visit(&waiting)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if let use = facts.use(event, line.number) {
            if knowsGrace { waiting.keep(use, facts) }
            return
        }
        let at = event.signedAt ?? event.at
        if event.type == .renewalFailed, case .renewalFailed(let failed) = event.fact {
            report.test()
            if failed.graceExpiresAt != nil { knowsGrace = true }
            let step = Step(
                kind: .failed, at: at, line: line.number, isRetrying: failed.retrying ?? true,
                isOfProduction: facts.environment(of: event) == .production,
                end: failed.graceExpiresAt)
            steps[failed.original, default: []].append(step)
        } else if event.type == .renewalExpired, case .renewalExpired(let expired) = event.fact {
            steps[expired.original, default: []].append(
                Step(
                    kind: .expired, at: at, line: line.number,
                    isOfProduction: facts.environment(of: event) == .production))
        } else if event.type == .renewalRenewed, case .renewalRenewed(let renewal) = event.fact {
            renewed.insert(renewal.transaction)
            if at < renewal.purchasedAt, event.signedAt != nil {
                renewedEarly.insert(renewal.transaction)
            }
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for original in steps.keys.sorted(by: { $0.index < $1.index }) {
            judge(original, facts, &report)
        }
        judgeUses(facts, &report)
    }

    private func judge(_ original: TransactionHandle, _ facts: Facts, _ report: inout Report) {
        let index = facts.subscriptionIndex(of: original)
        let subscription = index.map { facts.subscriptions[$0] }
        // Environments never mix (G9.3).
        var steps = (steps[original] ?? []).filter {
            subscription?.firstTransaction == nil
                || subscription?.isOfProduction == $0.isOfProduction
        }
        guard steps.contains(where: { $0.kind == .failed }) else { return }
        for period in index.map({ facts.ownPeriods(ofSubscription: $0) }) ?? [] {
            let mayEndRetry =
                renewed.contains(period.transaction) && !renewedEarly.contains(period.transaction)
            steps.append(
                Step(
                    kind: mayEndRetry ? .renewed : .ended, at: period.start,
                    line: facts.attestedLine(of: period.transaction),
                    isOfProduction: subscription?.isOfProduction ?? true,
                    end: period.ended == .upgraded ? period.accessEnd : period.end))
        }
        lazy var monthlyStart = self.monthlyStart(original, facts)
        func isLong(_ first: Step, to last: Timestamp) -> Bool {
            first.at.distance(to: last) > RetryState.longest
        }
        var first: Step?
        var paidUntil = Timestamp.earliest
        for step in steps.sorted(by: { ($0.at, $0.line) < ($1.at, $1.line) }) {
            switch step.kind {
            case .failed:
                // A renewal in grace begins where the failed period ended: before the failure that
                // it answers. What is paid for a day and longer isn't what failed.
                if let grace = step.end, grace < paidUntil { continue }
                if step.at.distance(to: paidUntil) > Timestamp.day { continue }
                let begin = first ?? step
                if step.isRetrying, isLong(begin, to: step.at) {
                    find(step, begin, original, monthlyStart, facts, &report)
                }
                first = step.isRetrying ? begin : nil
            case .renewed:
                if let first, isLong(first, to: step.at) {
                    find(step, first, original, monthlyStart, facts, &report)
                }
                first = nil
            case .ended, .expired: first = nil
            }
            if let end = step.end, step.kind != .failed { paidUntil = max(paidUntil, end) }
        }
        if let first, let end = facts.greatestAt, isLong(first, to: end) {
            findOpen(first, steps, original, monthlyStart, facts, &report)
        }
    }

    /// When a subscription was first sold as a monthly plan with a commitment; `nil` if it never
    /// was.
    private func monthlyStart(_ original: TransactionHandle, _ facts: Facts) -> Timestamp? {
        var earliest: Timestamp?
        var next = facts.subscription(keyedBy: original)?.lastTransaction
        while let transaction = next {
            if facts[transaction].terms.plan == .monthly {
                let start = facts[transaction].purchasedAt ?? .earliest
                earliest = min(earliest ?? start, start)
            }
            next = facts[transaction].previousInSubscription
        }
        return earliest
    }

    /// The longest retry until an end: longer if a monthly plan was sold by then.
    private func limit(until end: Timestamp, _ monthlyStart: Timestamp?) -> Int64 {
        RetryState.longest(isMonthly: monthlyStart.map { $0 <= end } ?? false)
    }

    /// Reports, as a note, a retry that is still open at the end of the log.
    private func findOpen(
        _ first: Step, _ steps: [Step], _ original: TransactionHandle,
        _ monthlyStart: Timestamp?, _ facts: Facts, _ report: inout Report
    ) {
        guard let end = facts.greatestAt else { return }
        let limit = limit(until: end, monthlyStart)
        guard first.at.distance(to: end) > limit,
            facts.subscription(keyedBy: original)?.autoRenew != false
        else { return }
        if let reason = facts.incompleteReason(after: 0) {
            return report.cannotTell("a renewal or an expiry may be missing: \(reason)")
        }
        let text = facts.text(original)
        let last = steps.reduce(facts[original].namedLine) { max($0, $1.line) }
        report.find(
            at: last, facts, level: .note, account: facts.owner(of: original), key: text,
            "the renewal of line \(text) failed at \(first.at.text), and the log shows neither a "
                + "renewal nor an expiry since: expected one of them within "
                + "\(limit / Timestamp.day) days",
            notes: last == first.line ? [] : failed(first, original, facts),
            hint: "look for a statement that was not recorded: without it the app may treat the "
                + "line as still renewing")
    }

    private func failed(
        _ first: Step, _ original: TransactionHandle, _ facts: Facts
    ) -> [Finding.Note] {
        Finding.note(
            first.line,
            "let the renewal of line "
                + "\(facts.text(original))\(facts.ownerSuffix(facts.owner(of: original))) have "
                + "failed at \(first.at.text)")
    }

    private func find(
        _ step: Step, _ first: Step, _ original: TransactionHandle, _ monthlyStart: Timestamp?,
        _ facts: Facts, _ report: inout Report
    ) {
        let limit = limit(until: step.at, monthlyStart)
        guard first.at.distance(to: step.at) > limit else { return }
        if !facts.notUnderstoodLines.isEmpty, let reason = facts.incompleteReason {
            return report.cannotTell("a renewal or an expiry may be missing: \(reason)")
        }
        let text = facts.text(original)
        let days = first.at.distance(to: step.at) / Timestamp.day
        report.find(
            at: step.line, facts, account: facts.owner(of: original), key: text,
            "the store still tried to renew line \(text) at \(step.at.text), \(days) days after it "
                + "first failed at \(first.at.text): expected it to give up within "
                + "\(limit / Timestamp.day) days",
            notes: failed(first, original, facts),
            hint: "look for an expiry or a renewal in between that was not recorded: access may "
                + "have gone on, or been cut off, without it")
    }

    private func judgeUses(_ facts: Facts, _ report: inout Report) {
        for (use, coverage) in zip(waiting.uses, facts.coverages(of: waiting.uses)) {
            if case .content(let content) = use.target, facts[content] != nil { continue }
            guard !coverage.isCovered, coverage.refunded.isEmpty,
                let lastEnded = coverage.lastEnded, lastEnded.endsInGrace
            else { continue }
            if let doubt = coverage.doubt("the renewal after a grace period", facts) {
                report.cannotTell(doubt)
            } else {
                report.find(
                    at: use.line, facts, account: use.account,
                    key: facts.text(lastEnded.transaction),
                    "\(facts.describe(use.target)) was used at \(use.at.text) by "
                        + "\(facts.describe(use.account)), whose grace period ended at "
                        + "\(lastEnded.end.text): expected access to end with it",
                    notes: facts.notes(onEnded: lastEnded),
                    hint: "the app treats billing retry as active: access lasts only until the end "
                        + "of the grace period")
            }
        }
    }
}
