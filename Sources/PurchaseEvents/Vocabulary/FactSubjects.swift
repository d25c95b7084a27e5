extension Fact {
    /// The transaction that the fact names, or `nil`.
    @inlinable
    public var transaction: TransactionID<S>? { subjects.transaction }

    /// The payment that the fact names, or `nil`.
    @inlinable
    public var payment: PaymentID<S>? { subjects.payment }

    /// The product that the fact names, or `nil`.
    @inlinable
    public var product: ProductID<S>? { subjects.product }

    /// The original transaction that the fact names, or `nil` if it names none, even if its own
    /// transaction keys a subscription.
    @inlinable
    public var original: TransactionID<S>? {
        switch copy(of: self) {
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

    /// All subjects at once: who asks for one after the other copies the fact three times.
    @inlinable
    var subjects: (transaction: TransactionID<S>?, payment: PaymentID<S>?, product: ProductID<S>?) {
        switch copy(of: self) {
        case .catalogRequested(let product), .catalogInvalid(let product),
            .deliveryUnlocked(let product), .restoreSelected(let product):
            (nil, nil, product)
        case .catalogListed(let fact): (nil, nil, fact.product)
        case .paymentRequested(let fact): (nil, fact.payment, fact.product)
        case .queuePurchasing(let payment), .queueDeferred(let payment): (nil, payment, nil)
        case .queueFailed(let fact): (nil, fact.payment, nil)
        case .queuePurchased(let fact): (fact.transaction, fact.payment, fact.product)
        case .queueRestored(let fact): (fact.transaction, nil, fact.product)
        case .queueFinished(let entry), .queueRemoved(let entry):
            (entry.transaction, entry.payment, nil)
        case .deliveryValidated(let fact): (fact.transaction, nil, nil)
        case .deliveryPersisted(let fact): (fact.transaction, nil, nil)
        case .deliveryDownload(let fact): (fact.transaction, nil, nil)
        case .deliveryInstalled(let fact): (fact.transaction, nil, nil)
        case .deliveryDelivered(let fact): (fact.transaction, nil, nil)
        case .deliveryWithdrawn(let fact): (fact.transaction, nil, nil)
        case .deliveryConsumed(let fact): (nil, nil, fact.product)
        case .receiptListed(let fact): (fact.transaction, nil, fact.product)
        case .renewalStarted(let fact): (fact.transaction, nil, fact.product)
        case .renewalRenewed(let fact): (fact.transaction, nil, fact.product)
        case .renewalFailed(let fact): (nil, nil, fact.product)
        case .renewalExpired(let fact): (nil, nil, fact.product)
        case .renewalPlanChanged(let fact): (nil, nil, fact.product)
        case .renewalExtended(let fact): (fact.transaction, nil, nil)
        case .cancellationRefunded(let fact): (fact.transaction, nil, nil)
        case .cancellationRevoked(let fact): (fact.transaction, nil, nil)
        case .cancellationReversed(let transaction), .cancellationRequested(let transaction),
            .cancellationDeclined(let transaction):
            (transaction, nil, nil)
        case .contentPublished(let fact): (nil, nil, fact.product)
        case .logOpened, .logNoted, .logRecovered, .appLaunched, .paymentRestricted,
            .paymentAllowed, .queueObserved, .queueUnobserved, .receiptRefreshed,
            .receiptValidated, .restoreRequested, .restoreCompleted, .restoreFailed,
            .renewalGraceExpired, .renewalTurnedOff, .renewalTurnedOn, .renewalPriceIncreased,
            .notificationReceived, .contentOpened, .accountLinked:
            (nil, nil, nil)
        }
    }
}
