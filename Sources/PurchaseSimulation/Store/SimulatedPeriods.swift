import PurchaseEvents

/// The life of a subscription: renewals, failures, and changes by the subscriber.
extension Simulation {
    /// Plans the end of a period, and perhaps an event within the period.
    func planPeriod(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        subscription.version += 1
        agenda.plan(
            .due(account, subscription, subscription.version),
            at: subscription.expiry + wait(2_000, 6_000))
        if isToday { planEarlyRenewal(of: subscription, account) }
        let end = subscription.expiry - Timestamp.day * 2
        let mayHappen = favors(.raisesPriceUnasked) || favors(.forgetsToWithdraw)
        guard account.environment == nil, now + Timestamp.day < end,
            mayHappen || rarely(isToday ? 4 : 12)
        else { return }
        let increases: Int64 = favors(.raisesPriceUnasked) ? 60 : 2
        let weights = [10, 2, 0, 2, increases, 0, 2, 2]
        guard let event = SubscriptionEvent(rawValue: Int64(choices.index(weightedBy: weights)))
        else { return }
        agenda.plan(
            .event(account, subscription, subscription.version, event),
            at: wait(max(now, subscription.start) + Timestamp.hour, end))
    }

    func apply(
        _ event: SubscriptionEvent, _ subscription: SimulatedSubscription,
        _ account: SimulatedAccount
    ) {
        if event == .renewedAhead { return renewAhead(subscription, account) }
        if subscription.current.commitment != nil {
            return apply(event, duringCommitmentOf: subscription, account)
        }
        if subscription.isSeat { return apply(event, toSeat: subscription, account) }
        switch event {
        case .turnedOff, .turnedOffAndOn:
            subscription.renewsItself = false
            state(.renewalTurnedOff(original: subscription.original), account)
            if event == .turnedOffAndOn { planLater(.turnedOn, subscription, account) }
            if event == .turnedOff, isToday, choices.happens(oncePer: 3) {
                retain(subscription, account)
            }
        case .turnedOn:
            subscription.renewsItself = true
            state(.renewalTurnedOn(original: subscription.original), account)
        case .planChanged: changePlan(of: subscription, account)
        case .priceIncreased:
            subscription.hasPendingIncrease = true
            stateAtOnce(
                .renewalPriceIncreased(.init(original: subscription.original, consent: .pending)),
                account)
            if !favors(.raisesPriceUnasked), !choices.happens(oncePer: 4) {
                planLater(.priceAgreed, subscription, account)
            }
        case .priceAgreed:
            subscription.hasPendingIncrease = false
            subscription.price += 1_000
            subscription.priceBeforeRaise = nil
            stateAtOnce(
                .renewalPriceIncreased(.init(original: subscription.original, consent: .agreed)),
                account)
        case .extended: extend(subscription, account)
        case .refunded: refund(subscription, account)
        case .graceExpired: state(.renewalGraceExpired(original: subscription.original), account)
        case .renewedAhead: break
        }
    }

    func planLater(
        _ event: SubscriptionEvent, _ subscription: SimulatedSubscription,
        _ account: SimulatedAccount
    ) {
        let end = max(now + Timestamp.minute, subscription.expiry - Timestamp.hour)
        agenda.plan(
            .event(account, subscription, subscription.version, event), at: wait(now + 30_000, end))
    }

    /// Changes the plan from the next renewal on: a downgrade, or another duration at the same
    /// level (G6.5).
    private func changePlan(of subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        if isToday, subscription.next != nil {
            // The subscriber keeps the present plan after all. Who doesn't hear it expects another.
            subscription.next = nil
            stateAtOnce(nextPlan(subscription.product, subscription), account)
            return
        }
        let level = subscription.item.level ?? 1
        let others = subscriptionProducts.filter { place in
            let product = SimulatedProduct.all[place]
            return place != subscription.product && product.group == subscription.group
                && (product.level ?? 1) >= level
        }
        guard !others.isEmpty else { return }
        let next = choices.pick(others)
        // What acts at once is bought, not planned.
        if isToday, actsAtOnce(from: subscription.product, to: next) { return }
        subscription.next = next
        if isToday, choices.happens(oncePer: 3) { return }
        state(nextPlan(next, subscription), account)
        if isToday, choices.happens(oncePer: 2) { planLater(.planChanged, subscription, account) }
    }

    private func nextPlan(_ next: Int, _ subscription: SimulatedSubscription) -> Fact<Written> {
        .renewalPlanChanged(
            .init(
                original: subscription.original, product: subscription.item.id,
                next: SimulatedProduct.all[next].id, effect: .nextRenewal))
    }

    func refund(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        subscription.version += 1
        subscription.state = .ended
        subscription.isRefunded = true
        subscription.current.isRefunded = true
        let percent = choices.happens(oncePer: 3) ? wait(10, 90) * 1_000 : nil
        stateAtOnce(
            .cancellationRefunded(
                .init(
                    transaction: subscription.current.transaction, original: subscription.original,
                    cancelledAt: thisSecond.time, reason: .other, percent: percent)), account)
        excuseFaults(byEndOf: subscription.current.transaction)
        changeRow(of: subscription.current, account) { $0.cancelledAt = thisSecond.time }
        if subscription.renewsItself {
            subscription.renewsItself = false
            if choices.choose(below: 2) == 1 {
                state(.renewalTurnedOff(original: subscription.original), account)
            }
        }
    }

    // MARK: The end of a period

    func periodEnds(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        switch subscription.state {
        case .ended: return
        case .retrying:
            if subscription.recovers {
                let fault: Fault? = subscription.retriesTooLong ? .retriesTooLong : nil
                renew(subscription, account, isRecovery: true, fault: fault)
            } else {
                end(subscription, .billing, account)
            }
        case .active:
            if !subscription.renewsItself {
                end(subscription, .cancelled, account)
            } else if subscription.hasPendingIncrease, subscription.current.offer == nil,
                fails(.raisesPriceUnasked)
            {
                subscription.hasPendingIncrease = false
                let before = subscription.priceBeforeRaise ?? subscription.price
                subscription.price += 1_000
                renew(subscription, account, isRecovery: false, fault: .raisesPriceUnasked)
                subscription.priceBeforeRaise = before
            } else if subscription.hasPendingIncrease {
                end(subscription, .priceIncrease, account)
            } else if account.environment != nil, subscription.renewals >= 5 {
                end(subscription, .cancelled, account)
            } else if account.environment == nil, favors(.retriesTooLong) || rarely(24) {
                failToRenew(subscription, account)
            } else if isToday, account.environment == nil, subscription.current.commitment == nil,
                !subscription.isSeat, choices.happens(oncePer: 30)
            {
                // The product is no longer sold.
                end(subscription, .unavailable, account)
            } else {
                renew(subscription, account, isRecovery: false)
            }
        }
    }

    private func end(
        _ subscription: SimulatedSubscription, _ reason: ExpirationReason,
        _ account: SimulatedAccount
    ) {
        subscription.state = .ended
        subscription.renewsItself = false
        subscription.version += 1
        let fact = Fact<Written>.renewalExpired(
            .init(
                original: subscription.original, product: subscription.item.id,
                expiresAt: subscription.expiry.time, reason: reason))
        // The end of a retry must be known before another retry can begin.
        if reason == .billing { stateAtOnce(fact, account) } else { state(fact, account) }
    }

    /// The payment fails; the store retries for up to 60 days, or 90 in a commitment, with or
    /// without a grace period.
    private func failToRenew(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        // If a second plan was sold by mistake, a recovery would give the account both plans again.
        let isAlone = !account.subscriptions.contains {
            $0 !== subscription && $0.group == subscription.group
        }
        let isTooLong = isAlone && fails(.retriesTooLong)
        let hasGrace = choices.choose(below: 2) == 1
        let grace = hasGrace ? subscription.expiry + 16 * Timestamp.day : nil
        subscription.state = .retrying(graceUntil: grace)
        subscription.hadGrace = hasGrace
        subscription.recovers = isTooLong || !choices.happens(oncePer: 3) && isAlone
        subscription.retriesTooLong = isTooLong
        // Pages don't tell a grace period that a lapse followed.
        let latest = hasGrace && options.isToldToServers ? 15 : 30
        let limit: Int64 = subscription.current.commitment == nil ? 60 : 90
        let later =
            isTooLong
            ? subscription.expiry + Timestamp.day * (subscription.wasMonthly ? 100 : 70)
            : subscription.recovers
                ? now + wait(Timestamp.hour, Timestamp.day * Int64(latest))
                : subscription.expiry + Timestamp.day * (limit - 1) + wait(0, Timestamp.hour * 20)
        agenda.plan(.due(account, subscription, subscription.version), at: later)
        if let grace, later > grace {
            agenda.plan(
                .event(account, subscription, subscription.version, .graceExpired),
                at: grace + 1_000)
        }
        stateAtOnce(
            .renewalFailed(
                .init(
                    original: subscription.original, product: subscription.item.id, retrying: true,
                    graceExpiresAt: grace?.time)), account)
    }

    /// Starts the next period, paid at the end of the last period or when a retried payment
    /// succeeds.
    func renew(
        _ subscription: SimulatedSubscription, _ account: SimulatedAccount, isRecovery: Bool,
        fault: Fault? = nil
    ) {
        var fault = fault
        let grantedBefore = subscription.grantsAccess(at: now)
        // Whether the log certainly knows the subscription.
        let isKnown = subscription.current.presentations > 0
        let product = subscription.next ?? subscription.product
        // Only one renewal has the wrong price, not every later one.
        if fault != .raisesPriceUnasked {
            subscription.price = subscription.priceBeforeRaise ?? subscription.price
        }
        subscription.priceBeforeRaise = nil
        let purchase = nextPurchase(of: subscription, product, account)
        let keepsDate = options.isToldToServers && grantedBefore
        if isRecovery && !keepsDate { purchase.purchasedAt = thisSecond }
        // A price that rises at this renewal was agreed to before it, but perhaps not two days ago.
        let isRaised = isToday && subscription.price > subscription.current.price
        if fault == nil, !isRecovery, account.environment == nil, isKnown, !isRaised,
            product == subscription.product, fails(.overlapsPeriods)
        {
            fault = .overlapsPeriods
            purchase.overlaps = true
            purchase.purchasedAt -= Timestamp.day * 2
        }
        let before = subscription.current.commitment, endBefore = subscription.expiry
        // A recovery within the grace period keeps the billing date.
        let from = isRecovery && grantedBefore ? subscription.expiry : purchase.purchasedAt
        let expiry =
            before.map {
                continueCommitment(
                    $0, with: purchase, from: from, lateBy: from - endBefore, account)
            } ?? periodEnd(after: from, product, account)
        purchase.expiresAt = expiry
        account.arrivals.append(purchase)
        if isToday, fault == nil { applyNextOffer(of: subscription, to: purchase) }
        subscription.begin(purchase, until: expiry)
        keepRow(purchase, account)
        planPeriod(subscription, account)
        let fact = renewal(of: subscription, with: purchase, isRecovery, account)
        defer { if before != nil { endCommitment(subscription, account) } }
        if let fault {
            // The finding about a retry names the subscription; all others name the transaction.
            let key = fault == .retriesTooLong ? subscription.original : purchase.transaction
            plant(fault, at: stateAtOnce(fact, account), account, key: key.name)
            subscription.hadFault = true
        } else if isKnown, subscription.firstAccount == nil, fails(.renewsForStranger) {
            let otherAccount = AccountID<Written>(names.uuid())
            plant(
                .renewsForStranger, at: record(fact, of: account, as: otherAccount), account,
                key: subscription.original.name)
        } else if isRecovery {
            // The end of a retry must be known, as when a subscription ends.
            stateAtOnce(fact, account)
        } else {
            state(fact, account)
        }
    }
    /// The purchase of a subscription's next period, which starts at the end of the current one.
    private func nextPurchase(
        of subscription: SimulatedSubscription, _ product: Int, _ account: SimulatedAccount
    ) -> SimulatedPurchase {
        let quantity = subscription.current.quantity
        if subscription.next != nil || subscription.price == 0
            || isToday && subscription.current.offer != nil
        {
            subscription.price = SimulatedProduct.all[product].price * quantity
        }
        let purchase = SimulatedPurchase(product: product)
        purchase.state = .bought
        purchase.subscription = subscription
        purchase.transaction = TransactionID(names.transaction(in: account.environment))
        purchase.purchasedAt = subscription.expiry
        purchase.originalPurchasedAt = subscription.originalPurchasedAt
        purchase.price = subscription.price
        purchase.quantity = quantity
        purchase.isShared = subscription.current.isShared
        purchase.isAssigned = subscription.current.isAssigned
        return purchase
    }

    /// The store's statement of a renewal.
    private func renewal(
        of subscription: SimulatedSubscription, with purchase: SimulatedPurchase,
        _ isRecovery: Bool, _ account: SimulatedAccount
    ) -> Fact<Written> {
        .renewalRenewed(
            .init(
                transaction: purchase.transaction, original: subscription.original,
                product: purchase.item.id, group: subscription.group,
                purchasedAt: purchase.purchasedAt.time, expiresAt: subscription.expiry.time,
                recovered: isRecovery ? true : nil, price: purchase.isSeat ? nil : purchase.price,
                currency: purchase.isSeat ? nil : account.currency, offer: purchase.offer,
                terms: purchase.terms))
    }
}
