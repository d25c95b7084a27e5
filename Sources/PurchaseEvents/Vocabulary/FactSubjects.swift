/// The subjects of a fact, whatever its type.
extension Fact {
    /// The transaction that the fact names, or `nil`.
    @inlinable
    public var transaction: TransactionID<S>? {
        switch self {
        case .queuePurchased(let fact): fact.transaction
        case .queueRestored(let fact): fact.transaction
        case .queueFinished(let entry), .queueRemoved(let entry): entry.transaction
        case .deliveryValidated(let fact): fact.transaction
        case .deliveryPersisted(let fact): fact.transaction
        case .deliveryDownload(let fact): fact.transaction
        case .deliveryInstalled(let fact): fact.transaction
        case .deliveryDelivered(let fact): fact.transaction
        case .deliveryWithdrawn(let fact): fact.transaction
        case .receiptListed(let fact): fact.transaction
        case .renewalStarted(let fact): fact.transaction
        case .renewalRenewed(let fact): fact.transaction
        case .renewalExtended(let fact): fact.transaction
        case .cancellationRefunded(let fact): fact.transaction
        case .cancellationRevoked(let fact): fact.transaction
        case .cancellationReversed(let transaction): transaction
        case .cancellationRequested(let transaction): transaction
        case .cancellationDeclined(let transaction): transaction
        case .logOpened, .logNoted, .logRecovered, .appLaunched, .catalogRequested, .catalogListed,
            .catalogInvalid, .paymentRestricted, .paymentAllowed, .paymentRequested,
            .queueObserved, .queueUnobserved, .queuePurchasing, .queueDeferred, .queueFailed,
            .deliveryUnlocked, .deliveryConsumed, .receiptRefreshed, .receiptValidated,
            .restoreRequested, .restoreSelected, .restoreCompleted, .restoreFailed, .renewalFailed,
            .renewalGraceExpired, .renewalExpired, .renewalTurnedOff, .renewalTurnedOn,
            .renewalPlanChanged, .renewalPriceIncreased, .notificationReceived, .contentPublished,
            .contentOpened, .accountLinked:
            nil
        }
    }

    /// The original transaction that the fact names, or `nil` if it names none, even if its own
    /// transaction keys a subscription.
    @inlinable
    public var original: TransactionID<S>? {
        switch self {
        case .queuePurchased(let fact): fact.original
        case .queueRestored(let fact): fact.original
        case .receiptListed(let fact): fact.original
        case .renewalStarted(let fact): fact.original
        case .renewalRenewed(let fact): fact.original
        case .renewalFailed(let fact): fact.original
        case .renewalGraceExpired(let original): original
        case .renewalExpired(let fact): fact.original
        case .renewalTurnedOff(let original, _), .renewalTurnedOn(let original, _): original
        case .renewalPlanChanged(let fact): fact.original
        case .renewalPriceIncreased(let fact): fact.original
        case .renewalExtended(let fact): fact.original
        case .cancellationRefunded(let fact): fact.original
        case .cancellationRevoked(let fact): fact.original
        case .accountLinked(let fact): fact.original
        case .logOpened, .logNoted, .logRecovered, .appLaunched, .catalogRequested, .catalogListed,
            .catalogInvalid, .paymentRestricted, .paymentAllowed, .paymentRequested,
            .queueObserved, .queueUnobserved, .queuePurchasing, .queueDeferred, .queueFailed,
            .queueFinished, .queueRemoved, .deliveryValidated, .deliveryPersisted,
            .deliveryDownload, .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn,
            .deliveryUnlocked, .deliveryConsumed, .receiptRefreshed, .receiptValidated,
            .restoreRequested, .restoreSelected, .restoreCompleted, .restoreFailed,
            .cancellationReversed, .cancellationRequested, .cancellationDeclined,
            .notificationReceived, .contentPublished, .contentOpened:
            nil
        }
    }

    /// The payment that the fact names, or `nil`.
    @inlinable
    public var payment: PaymentID<S>? {
        switch self {
        case .paymentRequested(let fact): fact.payment
        case .queuePurchasing(let payment), .queueDeferred(let payment): payment
        case .queueFailed(let fact): fact.payment
        case .queuePurchased(let fact): fact.payment
        case .queueFinished(let entry), .queueRemoved(let entry): entry.payment
        case .logOpened, .logNoted, .logRecovered, .appLaunched, .catalogRequested, .catalogListed,
            .catalogInvalid, .paymentRestricted, .paymentAllowed, .queueObserved, .queueUnobserved,
            .queueRestored, .deliveryValidated, .deliveryPersisted, .deliveryDownload,
            .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn, .deliveryUnlocked,
            .deliveryConsumed, .receiptRefreshed, .receiptListed, .receiptValidated,
            .restoreRequested, .restoreSelected, .restoreCompleted, .restoreFailed,
            .renewalStarted, .renewalRenewed, .renewalFailed, .renewalGraceExpired,
            .renewalExpired, .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged,
            .renewalPriceIncreased, .renewalExtended, .cancellationRefunded, .cancellationRevoked,
            .cancellationReversed, .cancellationRequested, .cancellationDeclined,
            .notificationReceived, .contentPublished, .contentOpened, .accountLinked:
            nil
        }
    }

    /// The product that the fact names, or `nil`.
    @inlinable
    public var product: ProductID<S>? {
        switch self {
        case .catalogRequested(let product), .catalogInvalid(let product): product
        case .catalogListed(let fact): fact.product
        case .paymentRequested(let fact): fact.product
        case .queuePurchased(let fact): fact.product
        case .queueRestored(let fact): fact.product
        case .deliveryUnlocked(let product), .restoreSelected(let product): product
        case .deliveryConsumed(let fact): fact.product
        case .receiptListed(let fact): fact.product
        case .renewalStarted(let fact): fact.product
        case .renewalRenewed(let fact): fact.product
        case .renewalFailed(let fact): fact.product
        case .renewalExpired(let fact): fact.product
        case .renewalPlanChanged(let fact): fact.product
        case .contentPublished(let fact): fact.product
        case .logOpened, .logNoted, .logRecovered, .appLaunched, .paymentRestricted,
            .paymentAllowed, .queueObserved, .queueUnobserved, .queuePurchasing, .queueDeferred,
            .queueFailed, .queueFinished, .queueRemoved, .deliveryValidated, .deliveryPersisted,
            .deliveryDownload, .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn,
            .receiptRefreshed, .receiptValidated, .restoreRequested, .restoreCompleted,
            .restoreFailed, .renewalGraceExpired, .renewalTurnedOff, .renewalTurnedOn,
            .renewalPriceIncreased, .renewalExtended, .cancellationRefunded, .cancellationRevoked,
            .cancellationReversed, .cancellationRequested, .cancellationDeclined,
            .notificationReceived, .contentOpened, .accountLinked:
            nil
        }
    }
}
