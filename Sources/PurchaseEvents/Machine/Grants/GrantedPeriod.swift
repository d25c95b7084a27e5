/// A span of time for which a transaction of a subscription grants access, as far as the log knows
/// (G6.1).
struct GrantedPeriod<S: Spelling>: Hashable, Sendable {
    var transaction: TransactionID<S>
    var start: Timestamp
    /// The stated end, including extensions.
    var paidUntil: Timestamp
    /// The end of access: earlier after an upgrade, later with a grace period.
    var end: Timestamp
    /// The time from which the period counts as never bought, or as replaced if it was upgraded.
    var cancelledAt: Timestamp?
    var isUpgraded: Bool
    private var version: StatementVersion?

    /// The period of a transaction from its own statements alone, or `nil` if they attest none.
    init?(_ transaction: TransactionID<S>, _ known: TransactionState<S>) {
        guard known.opensPeriod, let start = known.purchasedAt, let end = known.expiresAt else {
            return nil
        }
        self.transaction = transaction
        self.start = start
        paidUntil = end
        self.end = end
        cancelledAt = known.cancelledAt
        isUpgraded = known.isUpgraded
        version = known.expiresAtStated.version
    }

    var isRefunded: Bool { cancelledAt != nil && !isUpgraded }

    /// Whether nothing ended the period early, so that a failed renewal can follow it.
    private var isWhole: Bool {
        if isRefunded, let cancelledAt, cancelledAt < paidUntil { return false }
        return paidUntil <= end
    }

    /// Whether the period can be in force: it is no upgraded row, and something of it is left.
    var runs: Bool { !isUpgraded && start < end && (cancelledAt ?? end) > start }

    func covers(_ instant: Timestamp) -> Bool { start <= instant && instant < end }

    static func adjust(
        _ periods: inout [GrantedPeriod<S>], with statements: StatedSubscription<S>
    ) {
        guard !periods.isEmpty else { return }
        periods.sort { ($0.start, $0.paidUntil) < ($1.start, $1.paidUntil) }
        extend(&periods, statements.extensions)
        endTakenBack(&periods)
        endReplaced(&periods)
        addGrace(&periods, statements.graces)
        endExpired(&periods, statements.expired)
    }

    /// An extension without a transaction changes the latest period that had started when it was
    /// stated, or the last if none had; of several for one period, the last statement counts.
    private static func extend(_ periods: inout [GrantedPeriod<S>], _ extensions: StatedExtensions)
    {
        var ends: [Int: Timestamp] = [:]
        for extended in extensions.inOrder {
            let begun = periods.lastIndex { $0.start <= extended.statedAt }
            ends[begun ?? periods.count - 1] = extended.end
        }
        // Each index is the last period with its start, so no two extensions change the same
        // period.
        for (last, end) in ends where periods[last].paidUntil < end {
            let extended = periods[last]
            // A period with the same start and end is the same period.
            for index in periods.indices
            where periods[index].start == extended.start
                && periods[index].paidUntil == extended.paidUntil
            {
                periods[index].paidUntil = end
                if !periods[index].isUpgraded { periods[index].end = end }
            }
        }
    }

    /// Ends each period where the one that began last takes over, of equal starts that of the
    /// greater version (event-log.md, 4).
    private static func endReplaced(_ periods: inout [GrantedPeriod<S>]) {
        endUpgraded(&periods)
        var next: GrantedPeriod<S>?
        var last = periods.count
        // Backward, one group of equal starts after the other.
        while last > 0 {
            var first = last - 1
            while first > 0, periods[first - 1].start == periods[first].start { first -= 1 }
            let latest = periods[first..<last].filter(\.runs).max { $0.isStated(before: $1) }
            for index in first..<last where periods[index].runs {
                let isEqual = periods[index].paidUntil == latest?.paidUntil
                guard let by = isEqual ? next : latest else { continue }
                periods[index].end = min(periods[index].end, by.start)
            }
            next = latest ?? next
            last = first
        }
    }

    /// Empties each renewal that was stated ahead and taken back.
    private static func endTakenBack(_ periods: inout [GrantedPeriod<S>]) {
        var ahead = RenewalsAhead()
        for index in periods.indices where periods[index].runs {
            let period = periods[index]
            let by = ahead.whatTookBack(from: period.start, statedAt: period.statedAt)
            if by != nil, period.cancelledAt == nil {
                periods[index].end = period.start
            } else {
                ahead.add(start: period.start, end: period.endUnlessReplaced, index: index)
            }
        }
    }

    /// The version of the period's end; the start without a version.
    private var statedAt: Timestamp { version?.time ?? start }

    /// The end, unless a refund comes before it.
    private var endUnlessReplaced: Timestamp { min(end, cancelledAt ?? end) }

    /// Whether another period took back this one, which was stated ahead.
    func isTakenBack(by other: GrantedPeriod<S>) -> Bool {
        other.runs && cancelledAt == nil
            && RenewalsAhead.tookBack(
                from: start, statedAt: statedAt, by: (other.start, other.endUnlessReplaced))
    }

    private func isStated(before other: GrantedPeriod<S>) -> Bool {
        guard let version, let otherVersion = other.version else { return other.version != nil }
        return version < otherVersion
    }

    /// Ends each upgraded row where another row takes over, or at its cancellation date if none
    /// does.
    private static func endUpgraded(_ periods: inout [GrantedPeriod<S>]) {
        let others = periods.filter { !$0.isUpgraded && $0.start < min($0.paidUntil, $0.end) }
        var ends = UpgradedEnds(
            others: others.map { ($0.start, min($0.paidUntil, $0.cancelledAt ?? $0.paidUntil)) })
        for index in periods.indices where periods[index].isUpgraded {
            let end = ends.end(from: periods[index].start) ?? periods[index].cancelledAt
            guard let end else { continue }
            periods[index].end = min(periods[index].end, end)
        }
    }

    /// Ends the subscription where its latest `renewal.expired` says, unless a statement about a
    /// period has a greater version.
    private static func endExpired(
        _ periods: inout [GrantedPeriod<S>], _ expired: StatedValue<Timestamp>
    ) {
        guard let end = expired.value, let version = expired.version,
            !periods.contains(where: { $0.version.map { version < $0 } ?? false })
        else { return }
        for index in periods.indices where end < periods[index].paidUntil {
            periods[index].end = min(periods[index].end, max(periods[index].start, end))
        }
    }

    /// A grace period follows the period that ends last among the whole periods that end by the end
    /// of grace, if there are any among those that the store could try to renew when the grace was
    /// stated. It lasts to its own end or to the next period; of several after one period, the last
    /// statement counts.
    private static func addGrace(_ periods: inout [GrantedPeriod<S>], _ graces: GracePeriods) {
        guard !graces.isEmpty else { return }
        // A period that was cut off early didn't fail to renew.
        let whole = periods.indices.filter { periods[$0].isWhole }
        var failed = FailedPeriods(whole.map { (periods[$0].start, periods[$0].paidUntil) })
        let earlyEnds = EarlyEnds(graces)
        var ends: [Timestamp: Timestamp] = [:]
        for grace in graces.inOrder().reversed() {
            guard let end = failed.end(beforeGraceTo: grace.end, statedAt: grace.statedAt),
                ends[end] == nil
            else { continue }
            let early = earlyEnds.ends(of: grace, from: end, before: grace.end)
            ends[end] = early.first?.end ?? grace.end
        }
        for index in whole {
            let period = periods[index]
            guard let end = ends[period.paidUntil] else { continue }
            let next = periods.lowerBound {
                $0.start >= period.paidUntil && $0.start > period.start
            }
            periods[index].end = next < periods.count ? min(end, periods[next].start) : end
        }
    }
}
