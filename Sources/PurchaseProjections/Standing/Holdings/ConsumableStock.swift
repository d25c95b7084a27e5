import PurchaseEvents

/// An account's purchases of one consumable, counted in units.
///
/// Units have no identity: `delivery.consumed` names a product and no transaction, so an account's
/// units of a product are one stock (G4.11).
struct ConsumableStock: Sendable {
    let holder: Holder
    /// The date of the earliest purchase, the latest purchase, and the number of purchases.
    private(set) var from: Timestamp?
    private(set) var transaction: TransactionHandle?
    private(set) var purchases = 0
    /// The units that the purchases bought, refunded ones too.
    private(set) var bought: Int64 = 0
    /// The units bought and neither refunded nor found invalid.
    private(set) var owed: Int64 = 0
    /// The units that the app delivered, withdrawn ones too, and the units that the app withdrew.
    private(set) var delivered: Int64 = 0, withdrawn: Int64 = 0
    /// The units delivered and not withdrawn.
    private(set) var standing: Int64 = 0
    /// The units that refunds paid back.
    private(set) var refunded: Int64 = 0
    private(set) var isAllRefunded = true, isAllRevoked = true
    var consumed: Int64 = 0
    /// The refunded units that had been delivered.
    private var refundedDelivered: Int64 = 0
    /// The delivered units that stay paid for and were not withdrawn.
    private var kept: Int64 = 0

    init(_ holder: Holder) { self.holder = holder }

    /// The units that the account can still use.
    var left: Int64 { max(0, standing - consumed) }

    /// The units that were refunded although the account had consumed them, so that nobody can take
    /// them back.
    ///
    /// The account consumes units that stay paid for first; only what it consumed beyond those
    /// counts, and no more than was refunded.
    var uncollected: Int64 { min(refundedDelivered, max(0, consumed - kept)) }

    mutating func add(
        _ purchase: TransactionFacts, _ transaction: TransactionHandle,
        since purchasedAt: Timestamp, _ refund: Refund?
    ) {
        purchases += 1
        self.transaction = transaction
        from = from.map { min($0, purchasedAt) } ?? purchasedAt
        let units = refund?.unitsRefunded(of: purchase.quantity) ?? 0
        bought.addSaturating(purchase.quantity)
        delivered.addSaturating(purchase.totalDelivered)
        withdrawn.addSaturating(purchase.totalWithdrawn)
        standing.addSaturating(purchase.deliveredQuantity)
        refunded.addSaturating(units)
        refundedDelivered.addSaturating(min(units, purchase.totalDelivered))
        let paid = units == 0 ? Int64.max : max(0, purchase.quantity - units)
        kept.addSaturating(min(paid, purchase.deliveredQuantity))
        // A refund of a part takes back a part: what was delivered and not withdrawn stays, and
        // what is left is still to be delivered, unless a withdrawal settled the refund.
        let isPartial = refund.map { $0.percent ?? Refund.whole < Refund.whole } ?? false
        if refund == nil || isPartial, purchase.validation != .invalid {
            let kept = refund?.unitsKept(of: purchase.quantity) ?? 0
            let undelivered = purchase.isRefundSettled ? 0 : kept
            owed.addSaturating(
                isPartial ? max(undelivered, purchase.deliveredQuantity) : purchase.quantity)
        }
        if refund == nil || isPartial { isAllRefunded = false }
        if refund?.kind != .revoked { isAllRevoked = false }
    }
}

extension Facts {
    /// Whether a transaction is a purchase of a consumable that counts at an instant.
    func isStocked(_ transaction: TransactionHandle, asOf instant: Timestamp) -> Bool {
        self[transaction].attestsPeriod && kind(of: transaction) == .consumable
            && isInLogEnvironment(transaction) && self[transaction].product != nil
            && isHeld(transaction, by: instant)
    }

    /// The stocks of all accounts with purchases of a consumable, without what was consumed.
    func unconsumedStocks(
        asOf instant: Timestamp, owner: (TransactionHandle) -> AccountHandle?
    ) -> [ConsumableStock] {
        var stocks: [ConsumableStock] = []
        var places = HandleMap<Int32>(0)
        for transaction in knownTransactions where isStocked(transaction, asOf: instant) {
            guard let product = self[transaction].product,
                let purchasedAt = self[transaction].purchasedAt
            else { continue }
            let account = owner(transaction)
            let key = HandleKey(product, of: account)
            let place = places[key].map { Int($0) } ?? stocks.count
            if place == stocks.count {
                stocks.append(ConsumableStock(Holder(account: account, product: product)))
                places[key] = Int32(place)
            }
            stocks[place].add(
                self[transaction], transaction, since: purchasedAt,
                refund(of: transaction, asOf: instant))
        }
        return stocks
    }
}
