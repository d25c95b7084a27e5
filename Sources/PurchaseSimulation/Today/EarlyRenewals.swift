import PurchaseEvents

/// Renewals that the store makes hours before the period ends, and takes back if the subscriber
/// changes the plan in between.
extension Simulation {
    /// Plans that the store renews a subscription in the last day of its period.
    func planEarlyRenewal(of subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        guard account.environment == nil, choices.happens(oncePer: 4) else { return }
        let ahead = wait(Timestamp.hour, Timestamp.hour * 23)
        agenda.plan(
            .event(account, subscription, subscription.version, .renewedAhead),
            at: max(now + Timestamp.minute, subscription.expiry - ahead))
    }

    /// Renews a subscription before its period ends, unless the next period is still in question.
    func renewAhead(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        // The renewal to another plan waits for the end of this one.
        guard case .active = subscription.state, subscription.renewsItself,
            !subscription.hasPendingIncrease, subscription.next == nil, now < subscription.expiry
        else { return }
        let before = subscription.current
        renew(subscription, account, isRecovery: false)
        subscription.currentBefore = before
    }

    /// Takes back a renewal whose period hasn't begun: the store states it as upgraded.
    func takeBackRenewal(
        of subscription: SimulatedSubscription, at instant: Int64, _ account: SimulatedAccount
    ) {
        guard let before = subscription.currentBefore, subscription.start > instant else { return }
        let renewal = subscription.current
        renewal.isRefunded = true
        stateUpgraded(renewal, at: instant, account)
        subscription.current = before
        subscription.currentBefore = nil
    }

    /// States that another plan has replaced a period.
    func stateUpgraded(
        _ purchase: SimulatedPurchase, at instant: Int64, _ account: SimulatedAccount
    ) {
        var row = receiptRow(purchase, account)
        row.cancelledAt = instant.time
        row.upgraded = true
        record(.receiptListed(row), of: account)
        excuseFaults(byEndOf: purchase.transaction)
        changeRow(of: purchase, account) { kept in
            kept.cancelledAt = row.cancelledAt
            kept.upgraded = true
        }
    }
}
