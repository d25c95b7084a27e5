import PurchaseEvents

// The facts that the App Store's statement of a transaction may state.
extension AppStoreRow {
    /// The row as a `receipt.listed`, in the snapshot `receipt` if there is one.
    func listed(in receipt: ReceiptID<Written>? = nil) -> Fact<Written> {
        .receiptListed(
            ReceiptListed(
                receipt: receipt, transaction: TransactionID(transaction),
                original: original.map { TransactionID($0) }, product: ProductID(product),
                // In receipts, only auto-renewable subscriptions have an expiration date; the app
                // computes the end of a non-renewing one (G1.4).
                kind: kind ?? (expiresAt == nil ? nil : .autoRenewable),
                group: group.map { GroupID($0) },
                quantity: quantity, purchasedAt: purchasedAt,
                originalPurchasedAt: originalPurchasedAt, expiresAt: expiresAt,
                cancelledAt: cancelledAt, upgraded: isUpgraded, ownership: ownership,
                offer: offer, terms: terms, price: price, currency: currency))
    }

    /// The period as the start of a subscription, or `nil` without its end.
    func started(isResubscription: Bool?) -> Fact<Written>? {
        expiresAt.map { end in
            .renewalStarted(
                RenewalStarted(
                    transaction: TransactionID(transaction), original: TransactionID(line),
                    product: ProductID(product), group: group.map { GroupID($0) },
                    purchasedAt: purchasedAt, expiresAt: end, resubscribed: isResubscription,
                    price: price, currency: currency, offer: offer, terms: terms))
        }
    }

    /// The period as a renewal, or `nil` without its end.
    func renewed(isRecovered: Bool?) -> Fact<Written>? {
        expiresAt.map { end in
            .renewalRenewed(
                RenewalRenewed(
                    transaction: TransactionID(transaction), original: TransactionID(line),
                    product: ProductID(product), group: group.map { GroupID($0) },
                    purchasedAt: purchasedAt, expiresAt: end, recovered: isRecovered,
                    price: price, currency: currency, offer: offer, terms: terms))
        }
    }

    /// The refund, `nil` without its date; `percent` is in thousandths of a percent, `nil` for all
    /// of it.
    func refunded(percent: Int64? = nil) -> Fact<Written>? {
        cancelledAt.map { date in
            .cancellationRefunded(
                CancellationRefunded(
                    transaction: TransactionID(transaction),
                    original: original.map { TransactionID($0) }, cancelledAt: date,
                    reason: refundReason, percent: percent))
        }
    }

    /// The revocation, or `nil` without its date; family sharing needs no reason.
    func revoked(for reason: String?) -> Fact<Written>? {
        cancelledAt.map { date in
            .cancellationRevoked(
                CancellationRevoked(
                    transaction: TransactionID(transaction),
                    original: original.map { TransactionID($0) }, cancelledAt: date,
                    reason: reason == RevocationReason.family.rawValue ? nil : reason))
        }
    }

    /// The refund or revocation that the row states, if any; an upgrade is neither. What its user
    /// didn't pay for is revoked, whatever the notification says.
    func cancellation(isRevoked: Bool) -> Fact<Written>? {
        guard isCancelled else { return nil }
        if ownership == .assigned { return revoked(for: RevocationReason.assignment.rawValue) }
        return isRevoked || ownership == .familyShared ? revoked(for: nil) : refunded()
    }
}
