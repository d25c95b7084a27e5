import PurchaseEvents

/// Renewals that the store makes hours before the period ends, and takes back if the subscriber
/// changes the plan in between.
extension Simulation {
    /// Plans that the store renews a line in the last day of its period.
    func planEarlyRenewal(of line: SimulatedLine, _ account: SimulatedAccount) {
        guard account.environment == nil, choices.happens(oncePer: 4) else { return }
        let ahead = wait(Timestamp.hour, Timestamp.hour * 23)
        agenda.plan(
            .event(account, line, line.version, .renewedAhead),
            at: max(now + Timestamp.minute, line.expiry - ahead))
    }

    /// Renews a line before its period ends, unless the next period is still in question.
    func renewAhead(_ line: SimulatedLine, _ account: SimulatedAccount) {
        // The renewal to another plan waits for the end of this one.
        guard case .active = line.state, line.renewsItself, !line.hasPendingIncrease,
            line.next == nil, now < line.expiry
        else { return }
        let before = line.current
        renew(line, account, isRecovery: false)
        line.currentBefore = before
    }

    /// Takes back a renewal whose period hasn't begun: the store states it as upgraded.
    func takeBackRenewal(
        of line: SimulatedLine, at instant: Int64, _ account: SimulatedAccount
    ) {
        guard let before = line.currentBefore, line.start > instant else { return }
        let renewal = line.current
        renewal.isRefunded = true
        stateUpgraded(renewal, at: instant, account)
        line.current = before
        line.currentBefore = nil
    }

    /// States that another plan has replaced a period.
    func stateUpgraded(
        _ purchase: SimulatedPurchase, at instant: Int64, _ account: SimulatedAccount
    ) {
        var row = receiptRow(purchase, account)
        row.cancelledAt = Timestamp(milliseconds: instant)
        row.upgraded = true
        record(.receiptListed(row), of: account)
        changeRow(of: purchase, account) { kept in
            kept.cancelledAt = row.cancelledAt
            kept.upgraded = true
        }
    }
}
