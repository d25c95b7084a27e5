import PurchaseEvents

/// How much of one purchase of a consumable was consumed.
package struct PurchaseUse: Hashable, Sendable {
    /// The account that owns the purchase; `nil` if unknown.
    package var account: AccountHandle?
    /// The consumable.
    package var product: ProductHandle
    /// The number of the account's purchases of the product.
    package var purchases: Int
    /// The units of the product that the account consumed in all.
    package var consumedOfAll: Int64
    /// The units of this purchase that the app delivered, withdrawn ones too, and those of them
    /// that were consumed.
    package var delivered: Int64, consumed: Int64 = 0
}

extension ConsumedUnits {
    /// How much of a purchase was consumed; `nil` if the transaction is no purchase of a consumable
    /// that counts at an instant, or if nothing says who owns it and accounts consumed more of the
    /// product than they own.
    ///
    /// `delivery.consumed` names no transaction, so the purchases of an account share what it
    /// consumed: the purchase delivered first is used up first. Withdrawn units count as consumed
    /// only if the account consumed more than it was left with. Cost: linear in the number of
    /// transactions, and sorting the account's purchases of the product.
    package func use(
        of transaction: TransactionHandle, _ facts: Facts, asOf instant: Timestamp
    ) -> PurchaseUse? {
        guard facts.isStocked(transaction, asOf: instant),
            let product = facts[transaction].product
        else { return nil }
        let holder = Holder(account: owner(of: transaction, facts), product: product)
        let stocks = stocks(facts, asOf: instant)
        guard let stock = stocks.first(where: { $0.holder == holder }),
            holder.account != nil || !isConsumedWithoutOwner(product, stocks)
        else { return nil }
        var use = PurchaseUse(
            account: holder.account, product: product, purchases: stock.purchases,
            consumedOfAll: stock.consumed, delivered: facts[transaction].totalDelivered)
        let purchases = facts.knownTransactions.filter {
            facts[$0].firstDeliveredLine != 0 && facts[$0].product == product
                && facts.isStocked($0, asOf: instant) && owner(of: $0, facts) == holder.account
        }.sorted { facts[$0].firstDeliveredLine < facts[$1].firstDeliveredLine }
        var unassigned = stock.consumed
        func assign(_ units: (TransactionFacts) -> Int64) {
            for purchase in purchases {
                let taken = min(unassigned, units(facts[purchase]))
                unassigned -= taken
                if purchase == transaction { use.consumed += taken }
            }
        }
        assign(\.deliveredQuantity)
        assign(\.totalWithdrawn)
        return use
    }
}
