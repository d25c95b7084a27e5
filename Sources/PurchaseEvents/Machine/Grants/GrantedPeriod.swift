/// A stretch of time for which a transaction of a line gives access, by what is known (G6.1).
struct GrantedPeriod<S: Spelling>: Hashable, Sendable {
    var transaction: TransactionID<S>
    /// Where it starts.
    var start: Timestamp
    /// Where it ends by the statements, extensions counted.
    var paidUntil: Timestamp
    /// Until when it gives access: earlier where it was upgraded away, later by a grace period.
    var end: Timestamp
    /// From when it counts as never made, or as replaced where it is upgraded.
    var cancelledAt: Timestamp?
    var isUpgraded: Bool

    /// The period of a transaction, as if nothing but its own statements were known; `nil` where
    /// they attest none.
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

    /// Whether it is refunded, so that it gives nothing.
    var isRefunded: Bool { cancelledAt != nil && !isUpgraded }

    /// Whether nothing cut it off before its end, so that only its renewal can have failed.
    private var isWhole: Bool {
        if isRefunded, let cancelledAt, cancelledAt < paidUntil { return false }
        return paidUntil <= end
    }

    func covers(_ instant: Timestamp) -> Bool { start <= instant && instant < end }

    /// Changes the periods of a line by what is said of the line itself.
    static func change(_ periods: inout [GrantedPeriod<S>], by words: LineWords<S>) {
        guard !periods.isEmpty else { return }
        periods.sort { ($0.start, $0.paidUntil) < ($1.start, $1.paidUntil) }
        extend(&periods, words.extensions)
        endUpgraded(&periods)
        addGrace(&periods, words.graces)
    }

    /// An extension that names no transaction lengthens the period that starts last by the time
    /// at which it was stated; of several of one period the one stated last counts.
    private static func extend(_ periods: inout [GrantedPeriod<S>], _ extensions: Extensions) {
        var ends: [Int: Timestamp] = [:]
        for extended in extensions.inOrder {
            let begun = periods.lastIndex { $0.start <= extended.said }
            ends[begun ?? periods.count - 1] = extended.end
        }
        // Each is the last one of its start, so none of them lengthens what another one does.
        for (last, end) in ends where periods[last].paidUntil < end {
            let extended = periods[last]
            // What is equal to it is the same period.
            for index in periods.indices
            where periods[index].start == extended.start
                && periods[index].paidUntil == extended.paidUntil
            {
                periods[index].paidUntil = end
                if !periods[index].isUpgraded { periods[index].end = end }
            }
        }
    }

    /// A period that was upgraded away ends where its successor starts, or at its cancellation
    /// date where no successor is known.
    private static func endUpgraded(_ periods: inout [GrantedPeriod<S>]) {
        for index in periods.indices where periods[index].isUpgraded {
            guard let end = successor(of: index, in: periods) ?? periods[index].cancelledAt else {
                continue
            }
            periods[index].end = min(periods[index].end, end)
        }
    }

    /// The start of the next period of a line that is another one than that at an index.
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

    /// A grace period goes on from the period that had ended last when it was stated: to its end,
    /// or up to the next period. Of several that go on from one period the one stated last counts.
    private static func addGrace(_ periods: inout [GrantedPeriod<S>], _ graces: Graces) {
        for grace in graces.inOrder() {
            // What was cut off before its end did not fail to renew.
            let ended = periods.filter { $0.isWhole && $0.paidUntil <= grace.end }
            let begun = ended.filter { $0.start <= grace.said }
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
