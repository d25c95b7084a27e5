import PurchaseEvents

/// An offer that an active subscriber redeemed for the next renewal.
struct OfferRedemption {
    var original: String
    var at: Timestamp
}

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
        let group = SimulatedProduct.all[purchase.product].group
        let lines = account.lines.filter { $0.group == group && !$0.isSeat }
        if lines.isEmpty {
            reduce(purchase, by: .introductory)
        } else if lines.allSatisfy(\.isEnded), choices.choose(below: 2) == 0 {
            reduce(purchase, by: .winBack)
        } else {
            reduce(purchase, by: .promotional)
        }
    }

    /// Applies an offer that was accepted for the next renewal.
    func applyNextOffer(of line: SimulatedLine, to purchase: SimulatedPurchase) {
        guard let offer = line.nextOffer else { return }
        line.nextOffer = nil
        // A plan that changes with the renewal has its own price.
        guard purchase.commitment == nil, line.next == nil else { return }
        reduce(purchase, by: offer)
        line.price = purchase.price
    }

    /// The subscriber turns renewal off, is shown an offer to stay, and turns it on again.
    func retain(_ line: SimulatedLine, _ account: SimulatedAccount) {
        line.nextOffer = .retention
        planLater(.turnedOn, line, account)
    }

    /// An active subscriber redeems a code, whose offer begins with the next renewal.
    func redeemForNextRenewal(of group: GroupID<Written>?, _ account: SimulatedAccount) {
        guard isToday else { return }
        let line = account.lines.first { $0.group == group && !$0.isSeat && !$0.isEnded }
        guard let line, !line.hasPendingIncrease else { return }
        line.nextOffer = .code
        guard options.isToldToServers else { return }
        redemptions.append(
            OfferRedemption(original: line.original.name, at: Timestamp(milliseconds: now)))
    }
}
