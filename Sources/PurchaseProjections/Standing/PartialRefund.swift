import PurchaseEvents

extension Refund {
    /// The units of a bought quantity that stay paid for after a refund of a part; `nil` if the
    /// whole purchase was refunded or revoked.
    func unitsKept(of quantity: Int64) -> Int64? {
        kind == .refunded ? RefundedShare.unitsKept(of: quantity, without: percent) : nil
    }
}

extension Facts {
    /// The units of a consumable that stay paid for while a refund of a part is in force at an
    /// instant; `nil` if no such refund is (event-log.md, 4).
    func unitsKept(of transaction: TransactionHandle, asOf instant: Timestamp) -> Int64? {
        guard kind(of: transaction) == .consumable else { return nil }
        return refund(of: transaction, asOf: instant)?.unitsKept(of: self[transaction].quantity)
    }
}
