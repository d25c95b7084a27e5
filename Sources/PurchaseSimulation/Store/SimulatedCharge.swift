import PurchaseEvents

/// How the store charges a user who pays.
extension Simulation {
    /// Whether the store sells a purchase: no paid non-consumable that the account owns, and no
    /// second plan of a group unless it is an upgrade.
    func sells(_ purchase: SimulatedPurchase, to account: SimulatedAccount) -> Bool {
        switch purchase.kind {
        case .consumable, .nonRenewing: return true
        case .nonConsumable:
            let isFree = purchase.isShared || purchase.price == 0
            return isFree || !account.owned.contains { $0.product == purchase.product && $0.isOwed }
        case .autoRenewable:
            if purchase.isSeat || purchase.answerFault == .sellsSecondPlan { return true }
            let product = purchase.item
            let subscriptions = account.subscriptions.filter {
                $0.group == product.group && !$0.isSeat
            }
            guard let subscription = subscriptions.last, !subscription.isEnded else {
                // Pages don't tell a grace period that a lapse followed, nor which of the accounts
                // that a subscription's transactions name came first.
                let isUntold =
                    subscriptions.last.map { $0.hadGrace || $0.firstAccount != nil } ?? false
                return !(options.isToldToServers && isUntold) && subscriptions.allSatisfy(\.isEnded)
            }
            if purchase.isApproved { return false }
            // Nor do they tell a grace period that an upgrade ended, or where the first of two
            // upgrades in one period ended the old plan.
            let isUntold =
                subscription.isRetrying || subscription.current.isUpgrade
                || subscription.start > now || subscription.firstAccount != nil
            // An upgrade takes three or four events, which the end of the log must not separate.
            return actsAtOnce(from: subscription.product, to: purchase.product)
                && subscription.grantsAccess(at: now) && !(isToday && subscription.isRetrying)
                && !subscription.current.overlaps && !(options.isToldToServers && isUntold)
                && seq + (isToday ? 4 : 3) <= Int64(options.events)
        }
    }

    /// The store charges the user: the purchase gets a transaction, and later events are planned.
    ///
    /// - Precondition: the store sells the purchase.
    func charge(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        purchase.state = .bought
        purchase.transaction = TransactionID(names.transaction(in: account.environment))
        purchase.purchasedAt = thisSecond
        switch purchase.kind {
        case .consumable: break
        case .nonConsumable, .nonRenewing: account.owned.append(purchase)
        case .autoRenewable: beginPeriod(purchase, account)
        }
        account.isNew = false
        if isToday {
            tellOtherDevices(of: purchase, account)
            planRevocation(of: purchase, account)
        }
        keepRow(purchase, account)
        if purchase.kind != .autoRenewable, !purchase.isShared { planRefund(purchase, account) }
    }

    /// Starts, resumes or upgrades a subscription.
    private func beginPeriod(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        let product = purchase.item
        let start = purchase.purchasedAt
        var expiry =
            purchase.terms.plan == .monthly
            ? commit(purchase, from: start, account)
            : periodEnd(after: start, purchase.product, account)
        let before =
            purchase.isSeat
            ? nil : account.subscriptions.last { $0.group == product.group && !$0.isSeat }
        // Only if the queue states the period first: if another person approves the purchase, the
        // store's statement may come first.
        let isBackwards =
            before?.isEnded != false && !purchase.isApproved && fails(.endsBeforeStart)
        if isBackwards {
            purchase.answerFault = .endsBeforeStart
            expiry = start - Timestamp.hour
        }
        defer { if isBackwards { purchase.subscription?.state = .ended } }
        purchase.expiresAt = expiry
        guard let subscription = before, purchase.answerFault != .sellsSecondPlan else {
            let subscription = SimulatedSubscription(
                original: purchase.transaction, purchase: purchase, start: start, expiry: expiry)
            purchase.subscription = subscription
            account.subscriptions.append(subscription)
            planPeriod(subscription, account)
            return planStart(purchase, subscription, account, isAgain: false)
        }
        let isUpgrade = !subscription.isEnded
        if isUpgrade {
            endByUpgrade(subscription, purchase, account)
            purchase.isUpgrade = true
        }
        let wasTurnedOff = !subscription.renewsItself
        purchase.subscription = subscription
        purchase.originalPurchasedAt = subscription.originalPurchasedAt
        subscription.begin(purchase, until: expiry)
        subscription.price = isToday && purchase.offer == nil ? purchase.price : product.price
        subscription.renewsItself = true
        subscription.nextOffer = nil
        subscription.hasPendingIncrease = false
        subscription.priceBeforeRaise = nil
        subscription.isRefunded = false
        subscription.renewals = 0
        planPeriod(subscription, account)
        if !isUpgrade { planStart(purchase, subscription, account, isAgain: true) }
        if wasTurnedOff { state(.renewalTurnedOn(original: subscription.original), account) }
    }

    /// Plans the store's statement of a subscription start a few seconds later.
    private func planStart(
        _ purchase: SimulatedPurchase, _ subscription: SimulatedSubscription,
        _ account: SimulatedAccount, isAgain: Bool
    ) {
        let time = now + wait(4_000, 9_000)
        if isTerse { return }
        let fact = Fact<Written>.renewalStarted(
            .init(
                transaction: purchase.transaction, original: subscription.original,
                product: purchase.item.id, group: subscription.group,
                purchasedAt: purchase.purchasedAt.time, expiresAt: subscription.expiry.time,
                resubscribed: isAgain ? true : nil, price: purchase.isSeat ? nil : purchase.price,
                currency: purchase.isSeat ? nil : account.currency, offer: purchase.offer,
                terms: purchase.terms))
        agenda.plan(.statement(account, StoreStatement(fact)), at: time)
    }

    /// Ends the current period now and refunds the rest of the period.
    private func endByUpgrade(
        _ subscription: SimulatedSubscription, _ purchase: SimulatedPurchase,
        _ account: SimulatedAccount
    ) {
        if isToday { takeBackRenewal(of: subscription, at: purchase.purchasedAt, account) }
        if leavesChangeUnsaid(subscription) {
            subscription.current.isReplaced = true
            return
        }
        let old = subscription.item.id
        record(
            .renewalPlanChanged(
                .init(
                    original: subscription.original, product: old,
                    next: purchase.item.id, effect: .now)), of: account)
        stateUpgraded(subscription.current, at: purchase.purchasedAt, account)
    }

    /// The end of a period of a plan that is paid at once.
    func periodEnd(after start: Int64, _ product: Int, _ account: SimulatedAccount) -> Int64 {
        date(after: start, months: SimulatedProduct.all[product].months, account)
    }

    /// The same day some calendar months later, or five minutes a month later in the sandbox.
    func date(after start: Int64, months: Int64, _ account: SimulatedAccount) -> Int64 {
        guard account.environment == nil else { return start + months * 5 * Timestamp.minute }
        let day = CalendarDay(daysSince1970: start / Timestamp.day)
        let count = day.month - 1 + months
        let year = day.year + count / 12, month = count % 12 + 1
        var last = day.day
        while last > 28, CalendarDay(year: year, month: month, day: last) == nil { last -= 1 }
        let end = CalendarDay(year: year, month: month, day: last) ?? day
        return end.daysSince1970 * Timestamp.day + start % Timestamp.day
    }
}
