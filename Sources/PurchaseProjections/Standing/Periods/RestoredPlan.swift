import PurchaseEvents

extension Facts {
    /// Whether a transaction only restores a plan of its subscription whose periods are all over or
    /// refunded at an instant, as far as the log knows now, so that nothing is owed for it.
    ///
    /// A restored transaction opens no period (event-log.md, 4). Where the log knows no period of
    /// the plan, or of a larger subscription than one search may look at, the answer is `false`.
    func restoresWhatIsOver(
        _ transaction: TransactionHandle, in environment: Environment, at instant: Timestamp
    ) -> Bool {
        let known = self[transaction]
        guard known.isOnlyRestored, kind(of: transaction) == .autoRenewable,
            known.expiresAt.map({ $0 <= instant }) ?? true,
            let subscription = subscription(of: transaction),
            subscription.firstTransaction != nil, !isLarge(nil, orSubscriptionOf: transaction)
        else { return false }
        let periods = spans(of: subscription, in: environment).filter {
            $0.product == known.product
        }
        return !periods.isEmpty
            && periods.allSatisfy { period in
                let attested = self[period.transaction]
                return period.accessEnd <= instant || attested.refund != nil
                    || attested.validation == .invalid
            }
    }
}
