/// A span of time for which a transaction of a line grants access, as far as the log knows (G6.1).
struct GrantedPeriod<S: Spelling>: Hashable, Sendable {
    var transaction: TransactionID<S>
    /// The start of the period.
    var start: Timestamp
    /// The stated end, including extensions.
    var paidUntil: Timestamp
    /// The end of access: earlier after an upgrade, later with a grace period.
    var end: Timestamp
    /// The time from which the period counts as never bought, or as replaced if it was upgraded.
    var cancelledAt: Timestamp?
    var isUpgraded: Bool

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
    }

    /// Whether the period is refunded, so that it grants nothing.
    var isRefunded: Bool { cancelledAt != nil && !isUpgraded }

    /// Whether nothing ended the period early, so that a failed renewal can follow it.
    private var isWhole: Bool {
        if isRefunded, let cancelledAt, cancelledAt < paidUntil { return false }
        return paidUntil <= end
    }

    func covers(_ instant: Timestamp) -> Bool { start <= instant && instant < end }

    /// Adjusts the periods of a line by the statements about the line.
    static func adjust(_ periods: inout [GrantedPeriod<S>], with statements: LineStatements<S>) {
        guard !periods.isEmpty else { return }
        periods.sort { ($0.start, $0.paidUntil) < ($1.start, $1.paidUntil) }
        extend(&periods, statements.extensions)
        endUpgraded(&periods)
        addGrace(&periods, statements.graces)
    }

    /// Applies the extensions that name no transaction.
    ///
    /// Each extension changes the latest period that had started when the extension was stated, or
    /// the last period if none had started; of several for one period, the last statement counts.
    private static func extend(_ periods: inout [GrantedPeriod<S>], _ extensions: Extensions) {
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

    /// Ends each upgraded period where its successor starts, or at its cancellation date if no
    /// successor is known.
    private static func endUpgraded(_ periods: inout [GrantedPeriod<S>]) {
        for index in periods.indices where periods[index].isUpgraded {
            guard let end = successor(of: index, in: periods) ?? periods[index].cancelledAt else {
                continue
            }
            periods[index].end = min(periods[index].end, end)
        }
    }

    /// The start of the next different period of the line.
    private static func successor(
        of index: Int, in periods: [GrantedPeriod<S>]
    ) -> Timestamp? {
        let period = periods[index]
        if index > 0, periods[index - 1].start == period.start,
            periods[index - 1].paidUntil != period.paidUntil, !periods[index - 1].isUpgraded
        {
            return period.start
        }
        return periods[(index + 1)...].first {
            $0.start != period.start || $0.paidUntil != period.paidUntil
        }?.start
    }

    /// Adds grace periods.
    ///
    /// A grace period follows the period that ends last among the whole periods that end by the end
    /// of grace and, if there are any, had started when the grace was stated. It lasts to its own
    /// end or to the next period; of several after one period, the last statement counts.
    private static func addGrace(_ periods: inout [GrantedPeriod<S>], _ graces: GracePeriods) {
        for grace in graces.inOrder() {
            // A period that was cut off early didn't fail to renew.
            let ended = periods.filter { $0.isWhole && $0.paidUntil <= grace.end }
            let begun = ended.filter { $0.start <= grace.statedAt }
            let failed = (begun.isEmpty ? ended : begun).map { $0.paidUntil }.max()
            for index in periods.indices
            where periods[index].isWhole && periods[index].paidUntil == failed {
                let period = periods[index]
                let end = graces.end(of: grace, from: period.paidUntil)
                let next = periods.first {
                    $0.start >= period.paidUntil && $0.start > period.start
                }
                periods[index].end = next.map { min(end, $0.start) } ?? end
            }
        }
    }
}
