/// Changes of plan in today's store: crossgrades at once, and changes that only the new transaction
/// states.
extension Simulation {
    /// Whether a change from one plan to another acts at once: an upgrade, or in today's store a
    /// plan of the same level and duration.
    func actsAtOnce(from old: Int, to new: Int) -> Bool {
        let (old, new) = (SimulatedProduct.all[old], SimulatedProduct.all[new])
        guard old.group == new.group, old.id != new.id else { return false }
        let (levelBefore, level) = (old.level ?? 1, new.level ?? 1)
        return level < levelBefore || isToday && level == levelBefore && old.months == new.months
    }

    /// Whether the store leaves out what it says about a plan that is changed, so that only the new
    /// transaction tells.
    ///
    /// A period that is stated as upgraded while an older one, unsaid, seems to run on would look
    /// like a renewal that was taken back.
    func leavesChangeUnsaid(_ subscription: SimulatedSubscription) -> Bool {
        guard isToday else { return false }
        let isHidden = subscription.unsaidEnd > subscription.current.purchasedAt
        guard isHidden || choices.happens(oncePer: 2) else { return false }
        subscription.unsaidEnd = max(subscription.unsaidEnd, subscription.current.expiresAt ?? 0)
        return true
    }

    /// Asks for a plan that replaces the present one: in the app, or today also in the App Store.
    func change(to product: Int, _ account: SimulatedAccount) {
        guard isToday, choices.happens(oncePer: 3) else {
            let purchase = SimulatedPurchase(product: product, payment: names.uuid())
            purchase.isUpgrade = true
            chooseBilling(of: purchase)
            return ask(for: purchase, account)
        }
        let purchase = SimulatedPurchase(product: product)
        purchase.isUpgrade = true
        account.push(after: wait(5_000, 9_000), .arrive(purchase))
        list(purchase, account)
    }
}
