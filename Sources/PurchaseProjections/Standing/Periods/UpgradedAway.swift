import PurchaseEvents

extension Facts {
    /// Whether another plan of the subscription, begun by an instant, ended a transaction's period,
    /// as far as the log knows now (event-log.md, 4).
    ///
    /// The App Store does not always state the replaced transaction again. Looks only at the
    /// transactions of the subscription that became known last.
    func isUpgradedAway(_ transaction: TransactionHandle, by instant: Timestamp) -> Bool {
        if self[transaction].isUpgraded { return true }
        let member = Int(self[transaction].periodOfSubscription) - 1
        guard member >= 0, let own = span(of: transaction) else { return false }
        let isOfProduction = self[transaction].isStated(in: .production)
        var limit = SearchLimit()
        var (end, isReplaced) = (own.end, false)
        var next = subscriptions[member].lastTransaction
        while let other = next, !limit.isReached() {
            next = self[other].previousInSubscription
            guard let span = span(of: other),
                self[other].isStated(in: .production) == isOfProduction
            else { continue }
            if span.start <= instant, isTakenBack(own, by: span) { return true }
            guard own.start < span.start, span.start < own.end, span.start <= min(end, instant),
                isPlan(span), !isTakenBack(span, by: own)
            else { continue }
            isReplaced = span.product != own.product || isReplaced && span.start == end
            end = span.start
        }
        return isReplaced
    }

    /// Whether another period took back one that was stated ahead.
    func isTakenBack(_ period: Period, by other: Period) -> Bool {
        guard other.start < period.start, isPlan(other), self[period.transaction].refund == nil
        else { return false }
        let end = self[other.transaction].refund.map { min(other.end, $0.cancelledAt) }
        return RenewalsAhead.tookBack(
            from: period.start, statedAt: statedAt(period.transaction),
            by: (other.start, end ?? other.end))
    }

    /// The version of the end of a transaction's period.
    func statedAt(_ transaction: TransactionHandle) -> Timestamp {
        versions.time(of: self[transaction].version(of: .expiresAt))
    }

    /// Whether a period is no upgraded row, and no refund took back all of it.
    private func isPlan(_ period: Period) -> Bool {
        period.start < period.end && !self[period.transaction].isUpgraded
            && self[period.transaction].refund.map { period.start < $0.cancelledAt } ?? true
    }
}
