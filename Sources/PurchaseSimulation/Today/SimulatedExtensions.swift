import PurchaseEvents

/// Extensions of a period at no cost, which the log hears of as such or only from the new end.
extension Simulation {
    /// The store lengthens the current period.
    func extend(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        subscription.expiry += wait(3, 14) * Timestamp.day
        let end = subscription.expiry.time
        if isToday {
            lengthen(subscription, from: subscription.current.expiresAt, to: end, account)
        }
        if isToday, choices.happens(oncePer: 4) {
            // The statement itself is lost.
            record(
                .receiptListed(receiptRow(subscription.current, account)), of: account,
                signedAt: now)
        } else {
            stateAtOnce(
                .renewalExtended(
                    .init(
                        original: subscription.original,
                        transaction: subscription.current.transaction, expiresAt: end)), account)
        }
        subscription.version += 1
        agenda.plan(
            .due(account, subscription, subscription.version),
            at: subscription.expiry + wait(2_000, 6_000))
    }

    /// What the store states about the period from now on has the new end.
    private func lengthen(
        _ subscription: SimulatedSubscription, from before: Int64?, to end: Timestamp,
        _ account: SimulatedAccount
    ) {
        subscription.current.expiresAt = end.milliseconds
        if let before { subscription.current.commitment?.shift(by: end.milliseconds - before) }
        subscription.current.terms =
            subscription.current.commitment?.terms ?? subscription.current.terms
        changeRow(of: subscription.current, account) { $0.expiresAt = end }
    }
}
