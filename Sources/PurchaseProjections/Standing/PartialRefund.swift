import PurchaseEvents

extension Refund {
    /// The units of a bought quantity that stay paid for after a refund of a part; `nil` if the
    /// whole purchase was refunded or revoked.
    func unitsKept(of quantity: Int64) -> Int64? {
        kind == .refunded ? RefundedShare.unitsKept(of: quantity, without: percent) : nil
    }

    /// The units of a bought quantity that the refund paid back; a revocation pays back none.
    func unitsRefunded(of quantity: Int64) -> Int64 {
        guard kind == .refunded else { return 0 }
        return max(0, quantity.subtractingSaturating(unitsKept(of: quantity) ?? 0))
    }
}

extension TransactionFacts {
    /// Whether a withdrawal settled a refund of a part: by the log or by their dates, it came after
    /// the refund (event-log.md, 4). The app may withdraw what the store refunded before the log
    /// hears of the refund.
    var isRefundSettled: Bool {
        guard !rareList.isEmpty, let withdrawnAt = rareList[0].withdrawnAt else { return false }
        return withdrawnLine > refundedLine || cancelledAt.map { $0 <= withdrawnAt } ?? false
    }
}

extension Facts {
    /// The units of a consumable that stay paid for while a refund of a part is in force at an
    /// instant, or so far; `nil` if no such refund is (event-log.md, 4).
    func unitsKept(
        of transaction: TransactionHandle, asOf instant: Timestamp = Access.noEnd
    ) -> Int64? {
        guard kind(of: transaction) == .consumable else { return nil }
        return refund(of: transaction, asOf: instant)?.unitsKept(of: self[transaction].quantity)
    }
}
