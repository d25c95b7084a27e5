import PurchaseEvents

// What the store's records mean in the words of a log (event-log.md, 3).

extension StoreTransaction {
    /// The transaction's row; without a cancellation, because a row takes no refund back.
    var listed: Fact<Written> {
        .receiptListed(
            .init(
                transaction: TransactionID(id), original: TransactionID(original),
                product: ProductID(product), kind: statedKind, group: group.map { GroupID($0) },
                quantity: quantity ?? 1, purchasedAt: purchasedAt,
                originalPurchasedAt: originalPurchasedAt ?? purchasedAt, expiresAt: expiresAt,
                cancelledAt: cancellation?.at ?? upgradedAt,
                upgraded: upgradedAt == nil ? nil : true, ownership: ownership ?? .purchased,
                offer: offer, terms: terms, price: statedPrice, currency: currency))
    }

    /// The refund or the revocation; `nil` if the purchase stands.
    var cancelled: Fact<Written>? {
        cancellation.map { cancellation in
            let transaction = TransactionID<Written>(id)
            let original = TransactionID<Written>(original)
            guard let revocation = cancellation.revocation else {
                return .cancellationRefunded(
                    .init(
                        transaction: transaction, original: original, cancelledAt: cancellation.at,
                        reason: cancellation.reason ?? .other, percent: cancellation.percent))
            }
            let isFamily = revocation == RevocationReason.family.rawValue
            return .cancellationRevoked(
                .init(
                    transaction: transaction, original: original, cancelledAt: cancellation.at,
                    reason: isFamily ? nil : revocation))
        }
    }

    /// The period as the start of a subscription.
    func started(isResubscription: Bool?) -> Fact<Written> {
        .renewalStarted(
            .init(
                transaction: TransactionID(id), original: TransactionID(original),
                product: ProductID(product), group: group.map { GroupID($0) },
                purchasedAt: purchasedAt, expiresAt: expiresAt ?? purchasedAt,
                resubscribed: isResubscription, price: statedPrice, currency: currency,
                offer: offer, terms: terms))
    }

    var renewed: Fact<Written> {
        .renewalRenewed(
            .init(
                transaction: TransactionID(id), original: TransactionID(original),
                product: ProductID(product), group: group.map { GroupID($0) },
                purchasedAt: purchasedAt, expiresAt: expiresAt ?? purchasedAt,
                recovered: isRecovery ? true : nil, price: statedPrice, currency: currency,
                offer: offer, terms: terms))
    }
}

extension StoreSubscription {
    /// What the subscription's renewal info states at a time.
    func facts(_ current: StoreTransaction, at instant: Timestamp) -> [Fact<Written>] {
        let id = TransactionID<Written>(original)
        var facts: [Fact<Written>] = [
            renews ? .renewalTurnedOn(original: id) : .renewalTurnedOff(original: id)
        ]
        if let renewsCommitment {
            facts.append(
                renewsCommitment
                    ? .renewalTurnedOn(original: id, commitment: true)
                    : .renewalTurnedOff(original: id, commitment: true))
        }
        if let next {
            facts.append(
                .renewalPlanChanged(
                    .init(
                        original: id, product: ProductID(product), next: ProductID(next),
                        effect: .nextRenewal)))
        }
        if let consent {
            facts.append(.renewalPriceIncreased(.init(original: id, consent: consent)))
        }
        switch state {
        case .running: break
        case .retrying:
            facts.append(
                .renewalFailed(
                    .init(
                        original: id, product: ProductID(product), retrying: true,
                        graceExpiresAt: graceUntil)))
        case .expired(let reason):
            if let graceUntil {
                // The renewal info goes on to name the grace period.
                facts.append(
                    .renewalFailed(
                        .init(
                            original: id, product: ProductID(product), retrying: false,
                            graceExpiresAt: graceUntil)))
            }
            guard !current.isCancelled else { break }
            facts.append(
                .renewalExpired(
                    .init(
                        original: id, product: ProductID(product),
                        expiresAt: current.expiresAt, reason: reason)))
        }
        return facts
    }
}
