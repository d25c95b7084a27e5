/// A stretch of time for which a transaction of a line gives access, by what is known (G6.1).
struct GrantedPeriod<S: Spelling>: Hashable, Sendable {
    var transaction: TransactionID<S>
    /// Half-open: from the purchase to the end of access, a grace period counted.
    var start: Timestamp, end: Timestamp
    /// Whether it is refunded, so that it gives nothing.
    var isRefunded: Bool

    func covers(_ instant: Timestamp) -> Bool { start <= instant && instant < end }
}

/// What the attested facts entitle to, by what is known so far (event-log.md, 4).
extension PurchaseState {
    /// Whether a transaction is refunded or revoked; a restored one stands and falls with its
    /// original, save in a subscription, where each period is refunded for itself.
    func isRefunded(_ known: TransactionState<S>) -> Bool {
        if known.isRefunded { return true }
        guard known.phase.isRestored, let original = known.original, !isPeriod(known) else {
            return false
        }
        return transaction(original)?.isRefunded ?? false
    }

    /// Whether a transaction is of a line of periods: what has an end, where nothing says its kind.
    private func isPeriod(_ known: TransactionState<S>) -> Bool {
        switch kind(of: known) {
        case .autoRenewable: true
        case .consumable, .nonConsumable, .nonRenewing: false
        case nil: known.expiresAt != nil
        }
    }

    /// Whether a transaction entitles nobody in an environment (G9.3).
    ///
    /// Of a refunded one, an invalid one, and one of the tests in production, nothing is owed.
    func owesNothing(_ known: TransactionState<S>, in environment: Environment) -> Bool {
        isRefunded(known) || known.validation == .invalid
            || (known.environment ?? environment) != environment
    }

    /// The account that a transaction's line was linked to, and the one that pays for it.
    func owners(
        of id: TransactionID<S>, _ known: TransactionState<S>
    ) -> (linked: AccountID<S>?, payer: AccountID<S>?) {
        let line = lines[known.original ?? id]
        let asked = known.payment.flatMap { payments[$0]?.account }
        return (line?.linkedAccount, asked ?? known.account ?? line?.accountStated.value)
    }

    /// The account that the line of a restored transaction belongs to, where it is known (G8.6).
    func lineOwner(of known: TransactionState<S>) -> AccountID<S>? {
        known.original.flatMap { account(ofLine: $0) }
    }

    /// The account that a transaction is of: that of its line, else the one that pays for it.
    func owner(
        of id: TransactionID<S>, _ known: TransactionState<S>
    ) -> AccountID<S>? {
        let (linked, payer) = owners(of: id, known)
        return linked ?? lineOwner(of: known) ?? payer
    }

    /// The account that a line belongs to: the one that it was linked to, else the one that is
    /// named first of it or of its original, else the one that asked for it.
    func account(ofLine original: TransactionID<S>) -> AccountID<S>? {
        let known = transaction(original)
        return lines[original]?.account ?? known?.account
            ?? known?.payment.flatMap { payments[$0]?.account }
    }

    /// Whether a transaction's product may be a consumable: what isn't known may be one.
    func mayBeConsumable(_ known: TransactionState<S>) -> Bool {
        switch kind(of: known) {
        case .consumable: true
        case .nonConsumable, .autoRenewable, .nonRenewing: false
        // No consumable is restored (G8.3), and none expires.
        case nil: !known.phase.isRestored && known.expiresAt == nil
        }
    }

    /// The periods of a line by what is known, earliest first.
    func periods(ofLine original: TransactionID<S>) -> [GrantedPeriod<S>] {
        guard let line = lines[original] else { return [] }
        var periods: [GrantedPeriod<S>] = line.transactions.compactMap { id in
            guard let known = transaction(id), known.opensPeriod, let start = known.purchasedAt,
                let end = known.expiresAt
            else { return nil }
            return GrantedPeriod(
                transaction: id, start: start, end: end, isRefunded: known.isRefunded)
        }
        periods.sort { $0.start < $1.start }
        if let end = line.extensionStated.value, let said = line.extensionStated.version?.time,
            let extended = periods.lastIndex(where: { $0.start <= said }) ?? periods.indices.last
        {
            periods[extended].end = max(periods[extended].end, end)
        }
        let ends = periods.map(\.end)
        for index in periods.indices {
            guard let known = transaction(periods[index].transaction), known.isUpgraded else {
                continue
            }
            // Until its successor is known, the date of the cancellation is the best that is.
            let start = periods[index].start
            let successor = periods.first { $0.start > start }?.start ?? known.cancelledAt
            if let successor { periods[index].end = min(periods[index].end, successor) }
        }
        addGrace(&periods, paidUntil: ends, line.graces)
        return periods
    }

    /// A grace period goes on from the period that had ended last when it was stated: to its end,
    /// or up to the next period. Of several that go on from one period the one stated last counts.
    private func addGrace(
        _ periods: inout [GrantedPeriod<S>], paidUntil ends: [Timestamp], _ graces: [Grace]
    ) {
        // What was cut off before its end did not fail to renew.
        let whole = periods.indices.filter { index in
            let known = transaction(periods[index].transaction)
            return periods[index].end >= ends[index]
                && !(known?.isRefunded(before: ends[index]) ?? false)
        }
        for grace in graces.inOrder() {
            let ended = whole.filter { ends[$0] <= grace.end }
            let begun = ended.filter { periods[$0].start <= grace.said }
            let failed = (begun.isEmpty ? ended : begun).map { ends[$0] }.max()
            for index in whole where ends[index] == failed {
                let start = periods[index].start
                let next = periods.first { $0.start >= ends[index] && $0.start > start }?.start
                periods[index].end = next.map { min(grace.end, $0) } ?? grace.end
            }
        }
    }

    /// Whether a transaction is refunded or revoked from an instant on: until then it entitles.
    private func isRefunded(_ known: TransactionState<S>, by instant: Timestamp) -> Bool {
        guard isRefunded(known) else { return false }
        let original = known.original.flatMap { transaction($0) }
        return known.isRefunded(by: instant) || original?.isRefunded(by: instant) ?? false
    }

    /// Whether a transaction entitles somebody to its product at an instant, refunds counted.
    func grants(
        _ id: TransactionID<S>, _ known: TransactionState<S>, at instant: Timestamp,
        in environment: Environment
    ) -> Bool {
        guard known.isPaid, !isRefunded(known, by: instant), known.validation != .invalid else {
            return false
        }
        if environment == .production, known.environment != .production { return false }
        let kind = kind(of: known)
        // The app's own end is one of a subscription that isn't renewed (G1.4).
        let isOfTheApp = kind == .nonRenewing || kind == nil && known.expiresAt == nil
        if let until = known.until, until <= instant, isOfTheApp { return false }
        if known.expiresAt != nil, kind != .nonConsumable {
            // A restored transaction gives what its line gives of its product: a plan that was
            // upgraded away is over, whatever took its place (G6.5).
            return periods(ofLine: known.original ?? id).contains { period in
                let isIts =
                    period.transaction == id
                    || !known.opensPeriod
                        && transaction(period.transaction)?.product == known.product
                guard isIts, period.covers(instant) else { return false }
                return !(transaction(period.transaction)?.isRefunded(by: instant) ?? false)
            }
        }
        return true
    }
}

extension TransactionState {
    /// Whether it counts as never bought at an instant: a refund may be dated later.
    fileprivate func isRefunded(by instant: Timestamp) -> Bool {
        isRefunded && cancelledAt.map { $0 <= instant } ?? true
    }

    /// Whether it counts as never bought before an instant came.
    fileprivate func isRefunded(before instant: Timestamp) -> Bool {
        isRefunded && cancelledAt.map { $0 < instant } ?? true
    }
}
