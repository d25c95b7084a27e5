import PurchaseEvents

/// One fact of each type, all about one payment, one transaction and one product.
enum SampleFacts {
    static func of(_ type: EventType) -> Fact<Written> {
        switch type {
        case .logOpened: .logOpened(.init(schema: 1))
        case .logNoted: .logNoted(text: "a remark")
        case .logRecovered:
            .logRecovered(.init(bytes: 17, sha256: String(repeating: "0a", count: 32)))
        case .appLaunched: .appLaunched
        case .catalogRequested: .catalogRequested(product: "coins")
        case .catalogListed: Say.listed("coins", .consumable)
        case .catalogInvalid: .catalogInvalid(product: "coins")
        case .paymentRestricted: .paymentRestricted
        case .paymentAllowed: .paymentAllowed
        case .paymentRequested: Say.requested("p1")
        case .queueObserved: .queueObserved
        case .queueUnobserved: .queueUnobserved
        case .queuePurchasing: .queuePurchasing(payment: "p1")
        case .queueDeferred: .queueDeferred(payment: "p1")
        case .queueFailed: Say.failed("p1")
        case .queuePurchased: Say.purchased("t1", payment: "p1")
        case .queueRestored: Say.restored("t1", of: "t0", "coins")
        case .queueFinished: Say.finished("t1")
        case .queueRemoved: .queueRemoved(entry: .payment("p1"))
        case .deliveryValidated: .deliveryValidated(.init(transaction: "t1", outcome: .valid))
        case .deliveryPersisted: .deliveryPersisted(.init(transaction: "t1", store: .receipt))
        case .deliveryDownload: .deliveryDownload(Say.download("t1", .active))
        case .deliveryInstalled: .deliveryInstalled(.init(transaction: "t1", place: .caches))
        case .deliveryDelivered: Say.delivered("t1", quantity: .max)
        case .deliveryWithdrawn: Say.withdrawn("t1")
        case .deliveryUnlocked: .deliveryUnlocked(product: "coins")
        case .deliveryConsumed: .deliveryConsumed(.init(product: "coins", quantity: .max))
        case .receiptRefreshed: .receiptRefreshed(receipt: "r1")
        case .receiptListed: Say.row("t1", "coins", cancelledAt: 3)
        case .receiptValidated: .receiptValidated(.init(receipt: "r1", outcome: .valid))
        case .restoreRequested: .restoreRequested(by: .user)
        case .restoreSelected: .restoreSelected(product: "coins")
        case .restoreCompleted: .restoreCompleted
        case .restoreFailed: .restoreFailed(.init(error: "network"))
        case .renewalStarted, .renewalRenewed, .renewalFailed, .renewalGraceExpired,
            .renewalExpired, .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged,
            .renewalPriceIncreased, .renewalExtended, .accountLinked:
            ofLine(type)
        case .cancellationRefunded: Say.refunded("t1")
        case .cancellationRevoked:
            .cancellationRevoked(.init(transaction: "t1", cancelledAt: .latest))
        case .cancellationReversed: .cancellationReversed(transaction: "t1")
        case .cancellationRequested: .cancellationRequested(transaction: "t1")
        case .cancellationDeclined: .cancellationDeclined(transaction: "t1")
        case .notificationReceived:
            .notificationReceived(
                .init(notification: "n1", name: "CANCEL", version: 1, secret: .wrong))
        case .contentPublished: Say.issue("may", at: 5)
        case .contentOpened: .contentOpened(content: "may")
        }
    }

    private static func ofLine(_ type: EventType) -> Fact<Written> {
        let (start, end) = (History.hour(0), History.hour(9))
        let facts: [Fact<Written>] = [
            .renewalStarted(
                .init(
                    transaction: "t1", original: "t0", product: "coins", purchasedAt: start,
                    expiresAt: end)),
            .renewalRenewed(
                .init(
                    transaction: "t1", original: "t0", product: "coins", purchasedAt: start,
                    expiresAt: end)),
            .renewalFailed(.init(original: "t0", retrying: true, graceExpiresAt: .latest)),
            .renewalGraceExpired(original: "t0"),
            .renewalExpired(.init(original: "t0", reason: .billing)),
            .renewalTurnedOff(original: "t0"), .renewalTurnedOn(original: "t0"),
            .renewalPlanChanged(.init(original: "t0", next: "gems", effect: .now)),
            .renewalPriceIncreased(.init(original: "t0", consent: .pending)),
            .renewalExtended(.init(original: "t0", expiresAt: .earliest)),
            .accountLinked(.init(original: "t0")),
        ]
        guard let fact = facts.first(where: { $0.type == type }) else {
            preconditionFailure("\(type) is no type of a line")
        }
        return fact
    }

    static let all = EventType.allCases.map(of)
}
