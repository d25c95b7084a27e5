import PurchaseEvents

/// The latest delivery of a transaction, among its deliveries since the last withdrawal.
struct LatestDelivery {
    /// The quantity bought, delivered before this delivery, and delivered after it.
    let bought: Int64, before: Int64, after: Int64

    /// The latest delivery of a transaction.
    // A static function, because an initializer would copy the facts.
    @inline(__always)
    static func of(_ transaction: TransactionHandle, _ facts: Facts) -> LatestDelivery {
        LatestDelivery(
            bought: facts[transaction].quantity, before: facts[transaction].deliveredBefore,
            after: facts[transaction].deliveredQuantity)
    }

    var count: Int64 { after - before }

    var isAgain: Bool { before >= bought }

    var exceeds: Bool { !isAgain && after > bought }

    /// Why an excess can't be proven: the log may lack a withdrawal or a statement of the quantity;
    /// `nil` if it can.
    static func incompleteReason(_ transaction: TransactionHandle, _ facts: Facts) -> String? {
        let known = facts[transaction]
        if known.statedQuantity == nil, let reason = facts.incompleteReason { return reason }
        return facts.incompleteReason(after: known.firstDeliveredLine)
    }
}
