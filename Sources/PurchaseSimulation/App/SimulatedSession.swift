import PurchaseEvents

/// A session: a launch, the queue, withdrawals, unlocking, and the user's actions.
extension Simulation {
    /// Performs the next steps of an account's app, or launches the app.
    func advance(_ account: SimulatedAccount) {
        while true {
            if let item = account.script.popLast() {
                perform(item.step, account)
            } else {
                launch(account)
            }
            guard let wait = account.script.last?.wait else { return planLaunch(account) }
            let time = now + wait
            guard agenda.earliest.map({ time < $0 }) ?? true else {
                return agenda.plan(.app(account), at: time)
            }
            // No other task comes before the next step, so perform it now.
            now = time
            choices.mark()
        }
    }

    private func planLaunch(_ account: SimulatedAccount) {
        let gap =
            account.hasCrashed
            ? wait(Timestamp.second * 10, Timestamp.hour * 2)
            : pause * 3 / 2 - choices.choose(below: pause + 1)
        account.hasCrashed = false
        agenda.plan(.app(account), at: now + max(gap, Timestamp.second * 10))
    }

    /// The app crashes: its remaining steps are lost.
    func crash(_ account: SimulatedAccount) {
        account.script.removeAll(keepingCapacity: true)
        account.hasCrashed = true
    }

    private func launch(_ account: SimulatedAccount) {
        account.device = choices.pick(account.devices)
        let device = account.device
        device.clockOffset = 0
        device.hasRestored = false
        account.isSkewed =
            device.open.isEmpty && account.arrivals.isEmpty && device.news.isEmpty && rarely(400)
        if account.isSkewed { device.clockOffset = -wait(Timestamp.hour, Timestamp.day * 2) }
        account.isRestricted =
            !account.isSkewed && rarely(200, or: 4, for: .requestsWhileRestricted)
        device.open += account.arrivals
        if isToday { for purchase in account.arrivals { tellOtherDevices(of: purchase, account) } }
        account.arrivals.removeAll()
        if isToday { hearNews(account) }
        if fails(.skipsNumber) {
            skipNumber()
            plant(.skipsNumber, at: seq + 1, account)
        }
        note(.appLaunched, account)
        plantMissing(account)
        if isToday { changeName(of: account) }
        // The last step added is performed first. The simplest choices are actions that do nothing.
        for _ in choices.choose(below: 3)..<3 { account.push(after: wait(3_000, 40_000), .act) }
        if account.isRestricted {
            account.push(after: 1_000, .note(.paymentRestricted))
        } else if choices.happens(oncePer: 8) {
            account.push(after: 1_000, .note(.paymentAllowed))
        }
        if !account.isSkewed {
            if choices.happens(oncePer: 6) { account.push(after: 1_000, .unlock) }
            account.push(after: 1_000, .settle)
        }
        let isLate = !device.open.isEmpty && fails(.observesLate)
        if !isLate, !account.isSkewed, fails(.restoresAtLaunch) {
            account.restoresUnasked = true
            account.push(after: 500, .restore)
        }
        for purchase in device.open.reversed() {
            account.push(after: wait(300, 1_500), .process(purchase))
        }
        for purchase in device.open.reversed() {
            account.push(after: wait(300, 1_500), .present(purchase))
        }
        if isLate {
            account.device.isLate = true
        } else {
            account.push(after: wait(500, 2_000), .note(.queueObserved))
        }
    }

    private func perform(_ step: ScriptStep, _ account: SimulatedAccount) {
        switch step {
        case .note(let fact): note(fact, account)
        case .imply(let fact): if !isTerse { note(fact, account) }
        case .plant(let fault, let fact, let key):
            plant(fault, at: note(fact, account), account, key: key)
        case .present(let purchase):
            let isLate = account.device.isLate
            present(purchase, account)
            // The observer is registered after the queue's first presentation and before anything
            // depends on it.
            if isLate { account.push(after: 500, .note(.queueObserved)) }
        case .process(let purchase): process(purchase, account)
        case .settle: settle(account)
        case .unlock: unlock(account)
        case .act: act(account)
        case .request(let purchase): request(purchase, account)
        case .purchasing(let purchase):
            if !isTerse, let payment = purchase.payment {
                note(.queuePurchasing(payment: payment), account)
            }
            account.push(after: wait(3_000, 12_000), .outcome(purchase))
        case .outcome(let purchase): answer(purchase, account)
        case .arrive(let purchase): arrive(purchase, account)
        case .restore: restore(account)
        case .refresh: refresh(account)
        }
    }

    // MARK: Ended and owned purchases

    /// Withdraws access that has ended and delivers purchases that are owed again.
    ///
    /// Both happen in one step, so that nothing changes between the check and the action.
    private func settle(_ account: SimulatedAccount) {
        withdrawRefundedParts(account)
        for subscription in account.subscriptions
        where !subscription.grants.isEmpty && !subscription.grantsAccess(at: now) {
            let reason: WithdrawalReason =
                !subscription.isRefunded ? .expired : subscription.isSeat ? .revoked : .refunded
            if keepsUnlocked(subscription, account)
                || isCovered(subscription.product, byAnotherSubscriptionThan: subscription, account)
            {
                continue
            }
            for grant in subscription.grants { withdraw(grant, reason, account) }
            subscription.grants.removeAll()
        }
        for subscription in account.subscriptions where fails(.withdrawsTooEarly) {
            withdrawTooEarly(subscription, account)
        }
        for purchase in account.owned {
            let isOver = purchase.until.map { $0 <= now } ?? false
            if purchase.isRefunded || isOver {
                // Another season or an offer code may still grant the product.
                guard purchase.grants.isEmpty || !isGrantedByAnother(purchase, account) else {
                    continue
                }
                let reason: WithdrawalReason =
                    !purchase.isRefunded ? .expired : purchase.isShared ? .revoked : .refunded
                for grant in purchase.grants { withdraw(grant, reason, account) }
                if let grant = purchase.grants.last { deliverRefunded(grant, purchase, account) }
                purchase.grants.removeAll()
            } else if purchase.grants.isEmpty, purchase.delivered > 0,
                purchase.isFinished || isToday
            {
                deliverAgain(purchase, account)
            }
        }
        account.owned.removeAll { purchase in
            let isOver = purchase.isRefunded && !purchase.willBeReversed
            let isPast = isOver || (purchase.until.map { $0 <= now } ?? false)
            return purchase.isInvalid || purchase.isFinished && purchase.grants.isEmpty && isPast
        }
    }

    /// Whether another purchase of the account still grants the product.
    func isGrantedByAnother(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) -> Bool {
        purchase.kind != .consumable
            && account.owned.contains { other in
                other !== purchase && other.product == purchase.product
                    && other.grantsAccess(at: now)
            }
    }

    /// Delivers a withdrawn purchase again, because its refund was reversed.
    private func deliverAgain(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        guard purchase.kind == .nonConsumable else { return }
        purchase.grants = [
            SimulatedGrant(transaction: purchase.transaction, product: purchase.product)
        ]
        note(.deliveryDelivered(.init(transaction: purchase.transaction)), account)
    }

    private func unlock(_ account: SimulatedAccount) {
        for subscription in account.subscriptions where subscription.isUsable(at: now) {
            unlock(subscription.product, account)
        }
        for purchase in account.owned where purchase.kind != .consumable {
            if !purchase.grants.isEmpty, purchase.grantsAccess(at: now) {
                unlock(purchase.product, account)
            }
        }
    }

    private func unlock(_ product: Int, _ account: SimulatedAccount) {
        note(.deliveryUnlocked(product: SimulatedProduct.all[product].id), account)
    }

    /// Withdraws a delivery, or some units of it.
    func withdraw(
        _ grant: SimulatedGrant, _ reason: WithdrawalReason, units: Int64? = nil,
        _ account: SimulatedAccount
    ) {
        if let place = SimulatedProduct.consumables.firstIndex(of: grant.product) {
            account.balances[place] -= units ?? grant.quantity
        }
        note(
            .deliveryWithdrawn(
                .init(
                    transaction: grant.transaction, reason: reason,
                    quantity: units == grant.quantity ? nil : units)), account)
    }
}
