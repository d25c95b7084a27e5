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
            guard let span = span(of: other), own.start < span.start, span.start < own.end,
                span.start <= min(end, instant), span.start < span.end, !self[other].isUpgraded,
                self[other].refund.map({ span.start < $0.cancelledAt }) ?? true,
                self[other].isStated(in: .production) == isOfProduction
            else { continue }
            isReplaced = span.product != own.product || isReplaced && span.start == end
            end = span.start
        }
        return isReplaced
    }
}
