import PurchaseEvents

/// Subscriptions that somebody else pays for: family sharing, and seats of an organization.
///
/// Such a subscription stands beside the plan that the customer pays for, if any. An organization
/// buys seats as one purchase with a quantity.
extension Simulation {
    /// A purchase that somebody else made arrives on the customer's device.
    func takeSeat(_ account: SimulatedAccount) {
        let isFamily = choices.choose(below: 2) == 0
        let product = isFamily ? SimulatedProduct.household : choices.pick(subscriptionProducts)
        let isTaken = account.subscriptions.contains { subscription in
            subscription.isSeat && !subscription.isEnded
                && subscription.group == SimulatedProduct.all[product].group
        }
        guard !isTaken, !isOpen(product, account) else { return }
        let purchase = SimulatedPurchase(product: product)
        purchase.isShared = isFamily
        purchase.isAssigned = !isFamily
        account.push(after: wait(5_000, 9_000), .arrive(purchase))
        list(purchase, account)
    }

    /// A buyer of a subscription buys several seats at once.
    func chooseSeats(of purchase: SimulatedPurchase) {
        guard isToday, choices.happens(oncePer: 6) else { return }
        purchase.quantity = wait(2, 25)
        purchase.price *= purchase.quantity
    }

    /// Plans that a seat is taken back, or that family sharing ends.
    func planRevocation(of purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        guard purchase.isSeat, choices.happens(oncePer: 3) else { return }
        let most = account.environment == nil ? Timestamp.day * 60 : Timestamp.hour
        agenda.plan(.unsharing(account, purchase), at: now + wait(Timestamp.minute, most))
    }

    /// Performs an event within a period of a seat: who uses it can't change the plan.
    func apply(
        _ event: SubscriptionEvent, toSeat subscription: SimulatedSubscription,
        _ account: SimulatedAccount
    ) {
        switch event {
        case .turnedOff:
            subscription.renewsItself = false
            state(.renewalTurnedOff(original: subscription.original), account)
        case .extended: extend(subscription, account)
        case .refunded: revokeSeat(subscription.current, account)
        case .graceExpired: state(.renewalGraceExpired(original: subscription.original), account)
        case .turnedOffAndOn, .turnedOn, .planChanged, .priceIncreased, .priceAgreed, .renewedAhead:
            break
        }
    }

    /// The store takes back the current period of a seat.
    func revokeSeat(_ seat: SimulatedPurchase, _ account: SimulatedAccount) {
        guard let subscription = seat.subscription, !subscription.isEnded else { return }
        subscription.version += 1
        subscription.state = .ended
        subscription.isRefunded = true
        subscription.renewsItself = false
        let current = subscription.current
        current.isRefunded = true
        let cancelled = thisSecond.time
        stateAtOnce(
            .cancellationRevoked(
                .init(
                    transaction: current.transaction, original: subscription.original,
                    cancelledAt: cancelled, reason: seat.isAssigned ? "assignment" : nil)), account)
        excuseFaults(byEndOf: current.transaction)
        changeRow(of: current, account) { $0.cancelledAt = cancelled }
    }
}

extension SimulatedPurchase {
    /// Whether somebody else paid.
    var isSeat: Bool { isShared || isAssigned }

    /// The ownership that the store states, or `nil` if the customer bought the product.
    var ownership: Ownership? { isShared ? .familyShared : isAssigned ? .assigned : nil }

    /// The number of units that the app delivers: a subscription is one, whatever its seats.
    var units: Int64 { kind == .consumable ? quantity : 1 }
}

extension SimulatedSubscription {
    /// Whether somebody else pays for the subscription.
    var isSeat: Bool { current.isSeat }
}
