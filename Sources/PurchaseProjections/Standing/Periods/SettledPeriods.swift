import PurchaseEvents

/// A period of a subscription, and what rules most often ask about its transaction.
struct SettledPeriod: Sendable {
    var period: Period
    var isUpgraded: Bool
    var isOfProduction: Bool

    var isSome: Bool { period.start < period.end }

    init(_ period: Period, _ facts: Facts) {
        self.period = period
        isUpgraded = facts[period.transaction].isUpgraded
        isOfProduction = facts[period.transaction].isStated(in: .production)
    }
}

/// The periods of all subscriptions at the end of a log, computed once for all rules.
struct SettledPeriods: Sendable {
    /// The periods of some subscriptions, one after the other, and where those of each end.
    private struct Share: Sendable {
        var periods: [SettledPeriod] = []
        var ends: [Int] = []
    }

    private static let size = 4096
    private let shares: [Share]

    /// Cost: sorts the transactions of each subscription.
    init(_ facts: Facts, threads: Int) {
        let (count, size) = (facts.subscriptions.count, SettledPeriods.size)
        shares = concurrentMap((count + size - 1) / size, threads: threads) { number in
            var share = Share()
            let all = facts.subscriptions[number * size..<min((number + 1) * size, count)]
            share.periods.reserveCapacity(all.reduce(0) { $0 + Int($1.transactionCount) })
            for subscription in all {
                for period in facts.findPeriods(of: subscription) {
                    share.periods.append(SettledPeriod(period, facts))
                }
                share.ends.append(share.periods.count)
            }
            return share
        }
    }

    /// The periods of the subscription at an index, by start and then end.
    subscript(subscription: Int) -> ArraySlice<SettledPeriod> {
        let (number, place) = subscription.quotientAndRemainder(dividingBy: SettledPeriods.size)
        let ends = shares[number].ends
        return shares[number].periods[(place == 0 ? 0 : ends[place - 1])..<ends[place]]
    }
}

extension Facts {
    /// Runs `body`, which doesn't observe, with the periods of all subscriptions at hand.
    mutating func withSettledPeriods<Result>(threads: Int, _ body: (Facts) -> Result) -> Result {
        makeUnique()
        record.pointee.settledPeriods = SettledPeriods(self, threads: threads)
        defer { record.pointee.settledPeriods = nil }
        return body(self)
    }

    /// The periods of the subscription at an index in ``subscriptions``, as currently known, by
    /// start and then end.
    ///
    /// Cost: at the end of a log none, otherwise that of ``periods(of:asOf:)``.
    func periods(ofSubscription index: Int) -> ArraySlice<SettledPeriod> {
        record.pointee.settledPeriods?[index]
            ?? findPeriods(of: subscriptions[index]).map { SettledPeriod($0, self) }[...]
    }
}
