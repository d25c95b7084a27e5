import PurchaseEvents

/// A year that a subscriber has promised to pay for month by month.
struct SimulatedCommitment {
    /// The number of billing periods.
    static let length: Int64 = 12

    /// The start, from which the periods are counted, in milliseconds since 1970.
    var start: Int64
    /// The number of the current billing period, from 1.
    var number: Int64 = 1
    /// The end of the last billing period.
    var until: Int64
    /// The price of all billing periods.
    var price: Int64
    /// Whether another commitment follows this one.
    var renews = true

    var isLast: Bool { number == SimulatedCommitment.length }

    /// What the store states about the current billing period.
    var terms: BillingTerms {
        BillingTerms(
            plan: .monthly, number: number, of: SimulatedCommitment.length,
            until: until.time, price: price)
    }
}

/// Plans with a commitment: a yearly product that is paid at once or month by month.
extension Simulation {
    /// The subscriber to a yearly product chooses to pay at once or month by month.
    func chooseBilling(of purchase: SimulatedPurchase) {
        guard isToday, purchase.item.months == 12 else { return }
        switch choices.choose(below: 4) {
        case 0: break
        case 1: purchase.terms.plan = .upfront
        default:
            purchase.terms.plan = .monthly
            purchase.price = SimulatedProduct.monthlyPrice(ofYearly: purchase.product)
        }
    }

    /// Starts the commitment of a purchase and returns the end of its first billing period.
    func commit(
        _ purchase: SimulatedPurchase, from start: Int64, _ account: SimulatedAccount
    ) -> Int64 {
        let commitment = SimulatedCommitment(
            start: start, until: periodEnd(after: start, purchase.product, account),
            price: purchase.price * SimulatedCommitment.length)
        purchase.commitment = commitment
        purchase.terms = commitment.terms
        return end(of: commitment, account)
    }

    /// Continues a commitment with its next billing period, or starts the next commitment; returns
    /// the end of the period.
    func continueCommitment(
        _ commitment: SimulatedCommitment, with purchase: SimulatedPurchase, from start: Int64,
        lateBy delay: Int64, _ account: SimulatedAccount
    ) -> Int64 {
        guard !commitment.isLast else { return commit(purchase, from: start, account) }
        var commitment = commitment
        commitment.number += 1
        commitment.shift(by: delay)
        purchase.commitment = commitment
        purchase.terms = commitment.terms
        return end(of: commitment, account)
    }

    private func end(of commitment: SimulatedCommitment, _ account: SimulatedAccount) -> Int64 {
        date(after: commitment.start, months: commitment.number, account)
    }

    /// The subscriber turns the next commitment off or on; the billing periods of this one go on.
    func turnCommitment(
        _ isOn: Bool, _ subscription: SimulatedSubscription, _ account: SimulatedAccount
    ) {
        subscription.current.commitment?.renews = isOn
        let original = subscription.original
        state(
            isOn
                ? .renewalTurnedOn(original: original, commitment: true)
                : .renewalTurnedOff(original: original, commitment: true), account)
    }

    /// Performs an event within a billing period of a commitment.
    func apply(
        _ event: SubscriptionEvent, duringCommitmentOf subscription: SimulatedSubscription,
        _ account: SimulatedAccount
    ) {
        switch event {
        case .turnedOff, .turnedOffAndOn:
            guard subscription.current.commitment?.isLast == false else { return }
            turnCommitment(false, subscription, account)
            if event == .turnedOffAndOn { planLater(.turnedOn, subscription, account) }
        case .turnedOn: turnCommitment(true, subscription, account)
        case .extended: extend(subscription, account)
        case .refunded: refund(subscription, account)
        case .graceExpired: state(.renewalGraceExpired(original: subscription.original), account)
        // The plan and its price stay as they are until the commitment ends.
        case .planChanged, .priceIncreased, .priceAgreed, .renewedAhead: break
        }
    }

    /// In the last billing period of a commitment that is turned off, no other period follows.
    func endCommitment(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        guard let commitment = subscription.current.commitment, commitment.isLast,
            !commitment.renews
        else { return }
        subscription.renewsItself = false
        if choices.choose(below: 2) == 0 {
            state(.renewalTurnedOff(original: subscription.original), account)
        }
    }
}

extension SimulatedCommitment {
    /// Moves all dates, after a late payment or an extension.
    mutating func shift(by milliseconds: Int64) {
        start += milliseconds
        until += milliseconds
    }
}

extension SimulatedProduct {
    /// The price of a month of a yearly product with a commitment.
    static func monthlyPrice(ofYearly product: Int) -> Int64 { all[product].price / 10 }
}
