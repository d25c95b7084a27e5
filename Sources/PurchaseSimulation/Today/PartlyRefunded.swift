import PurchaseEvents

/// Consumables that are refunded in part: the app takes back some units, and the rest stays.
extension Simulation {
    /// Notes how much of a finished consumable a partial refund takes back; returns `false` if the
    /// refund takes back everything.
    func refundPart(of purchase: SimulatedPurchase, _ percent: Int64) -> Bool {
        guard isToday, purchase.kind == .consumable, purchase.isFinished,
            let grant = purchase.grants.first
        else { return false }
        purchase.refundedUnits = max(1, grant.quantity * percent / 100_000)
        return true
    }

    func withdrawRefundedParts(_ account: SimulatedAccount) {
        for purchase in account.owned where purchase.refundedUnits > 0 {
            guard let grant = purchase.grants.first else { continue }
            withdraw(grant, .refunded, units: purchase.refundedUnits, account)
        }
        account.owned.removeAll { $0.refundedUnits > 0 }
    }
}
