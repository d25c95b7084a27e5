import PurchaseEvents

/// Refunds: whole, partial, declined and reversed; and the end of family sharing.
extension Simulation {
    /// Decides whether a purchase will be refunded, and how.
    func planRefund(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        guard favors(.deliversRefunded) || rarely(60) else { return }
        guard
            let scenario = RefundScenario(
                rawValue: Int64(choices.index(weightedBy: [6, 2, 2, 0, 2])))
        else { return }
        if purchase.kind == .consumable { account.owned.append(purchase) }
        agenda.plan(
            .refund(account, purchase, scenario),
            at: now + wait(Timestamp.hour, Timestamp.day * 20))
    }

    func refund(
        _ purchase: SimulatedPurchase, _ account: SimulatedAccount, _ scenario: RefundScenario
    ) {
        switch scenario {
        case .requested:
            state(.cancellationRequested(transaction: purchase.transaction), account)
            agenda.plan(
                .refund(account, purchase, .declined),
                at: now + wait(Timestamp.hour, Timestamp.day * 3))
        case .declined:
            state(.cancellationDeclined(transaction: purchase.transaction), account)
            if purchase.kind == .consumable { account.owned.removeAll { $0 === purchase } }
        case .whole, .partial, .toBeReversed:
            guard !purchase.isInvalid, purchase.until.map({ now < $0 }) ?? true else { return }
            let isSure = purchase.kind == .nonConsumable && !purchase.grants.isEmpty
            if scenario == .toBeReversed, isSure {
                purchase.willBeReversed = true
                agenda.plan(
                    .refund(account, purchase, .reversed),
                    at: now + wait(Timestamp.hour, Timestamp.day * 10))
            }
            let cancelled = thisSecond.time
            let reason: RefundReason = choices.choose(below: 2) == 1 ? .issue : .other
            var percent = scenario == .partial ? wait(10, 90) * 1_000 : nil
            // The app finishes what is refunded before its delivery, so it must owe nothing.
            if purchase.kind == .consumable, purchase.delivered == 0, !purchase.isFinished {
                percent = nil
            }
            let isPart = percent.map { refundPart(of: purchase, $0) } ?? false
            purchase.isRefunded = !isPart
            purchase.keepsUnits =
                percent != nil && (purchase.kind == .consumable || !listed[purchase.product])
            if isToday, account.lastConsumable === purchase { account.lastConsumable = nil }
            stateAtOnce(
                .cancellationRefunded(
                    .init(
                        transaction: purchase.transaction, cancelledAt: cancelled,
                        reason: reason, percent: percent)), account)
            let leavesUnits =
                percent != nil && purchase.kind == .consumable && listed[purchase.product]
            if !leavesUnits { excuseFaults(byEndOf: purchase.transaction) }
            changeRow(of: purchase, account) { $0.cancelledAt = cancelled }
        case .reversed:
            purchase.isRefunded = false
            purchase.willBeReversed = false
            stateAtOnce(.cancellationReversed(transaction: purchase.transaction), account)
            changeRow(of: purchase, account) { $0.cancelledAt = nil }
        }
    }

    func endSharing(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        if purchase.kind == .autoRenewable { return revokeSeat(purchase, account) }
        guard case .bought = purchase.state else { return }
        purchase.isRefunded = true
        let cancelled = thisSecond.time
        stateAtOnce(
            .cancellationRevoked(.init(transaction: purchase.transaction, cancelledAt: cancelled)),
            account)
        excuseFaults(byEndOf: purchase.transaction)
        changeRow(of: purchase, account) { $0.cancelledAt = cancelled }
    }
}
