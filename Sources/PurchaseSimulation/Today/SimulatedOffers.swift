import PurchaseEvents

/// An offer that an active subscriber redeemed for the next renewal.
typealias OfferRedemption = (original: String, at: Timestamp)

/// Offers: for new subscribers, for those who left, for those who are about to leave, and codes.
extension Simulation {
    /// The price of a subscription with an offer: free, or a part of its usual price.
    private func reduce(_ purchase: SimulatedPurchase, by offer: Offer) {
        purchase.offer = offer
        purchase.price = choices.choose(below: 2) == 0 ? purchase.price / 2 : 0
    }

    /// The store offers a lower price to a subscriber who starts or returns, and sometimes to
    /// others.
    func chooseOffer(for purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        // A commitment has one price.
        guard isToday, purchase.terms.plan != .monthly, choices.happens(oncePer: 3) else { return }
        let group = purchase.item.group
        let subscriptions = account.subscriptions.filter { $0.group == group && !$0.isSeat }
        if subscriptions.isEmpty {
            reduce(purchase, by: .introductory)
        } else if subscriptions.allSatisfy(\.isEnded), choices.choose(below: 2) == 0 {
            reduce(purchase, by: .winBack)
        } else {
            reduce(purchase, by: .promotional)
        }
    }

    func applyNextOffer(of subscription: SimulatedSubscription, to purchase: SimulatedPurchase) {
        guard let offer = subscription.nextOffer else { return }
        subscription.nextOffer = nil
        // A plan that changes with the renewal has its own price.
        guard purchase.commitment == nil, subscription.next == nil else { return }
        reduce(purchase, by: offer)
        subscription.price = purchase.price
    }

    /// The subscriber turns renewal off, is shown an offer to stay, and turns it on again.
    func retain(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        subscription.nextOffer = .retention
        planLater(.turnedOn, subscription, account)
    }

    /// An active subscriber redeems a code, whose offer begins with the next renewal.
    func redeemForNextRenewal(of group: GroupID<Written>?, _ account: SimulatedAccount) {
        guard isToday else { return }
        let subscription = account.subscriptions.first {
            $0.group == group && !$0.isSeat && !$0.isEnded
        }
        guard let subscription, !subscription.hasPendingIncrease else { return }
        subscription.nextOffer = .code
        guard options.isToldToServers else { return }
        redemptions.append((subscription.original.name, now.time))
    }
}
