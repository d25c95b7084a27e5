/// The fact that an event states: one case for each ``EventType``, in the same order, with its
/// values.
///
/// The payload structs declare values of known size first and names and texts last, and store
/// optional values as ``Packed``, so few offsets depend on the spelling.
public enum Fact<S: Spelling>: Hashable, Sendable {
    /// The log begins here: always line 1.
    case logOpened(LogOpened<S>)
    /// A person's remark, which changes no state.
    case logNoted(text: S.Text)
    /// The bytes that a crash left after the last whole line were cut off and saved beside the log.
    case logRecovered(LogRecovered<S>)
    /// The app was launched.
    case appLaunched
    /// The app asked for a product (G2.2).
    case catalogRequested(product: ProductID<S>)
    /// A product is on sale (G2.2).
    case catalogListed(CatalogListed<S>)
    /// A product identifier is invalid (G2.2).
    case catalogInvalid(product: ProductID<S>)
    /// The user may not make payments (G2.3).
    case paymentRestricted
    /// The user may make payments (G2.3).
    case paymentAllowed
    /// A payment was added to the queue (G3.1).
    case paymentRequested(PaymentRequested<S>)
    /// The observer was registered (G4.1).
    case queueObserved
    /// The observer was removed.
    case queueUnobserved
    /// A payment is in progress (G4.2).
    case queuePurchasing(payment: PaymentID<S>)
    /// A payment waits for someone else's approval (G4.2).
    case queueDeferred(payment: PaymentID<S>)
    /// A payment failed (G4.2).
    case queueFailed(QueueFailed<S>)
    /// A transaction was purchased, so the app owes the product (G4.2).
    case queuePurchased(QueuePurchased<S>)
    /// A transaction restores an earlier purchase (G8.3).
    case queueRestored(QueueRestored<S>)
    /// The app finished an entry of the queue (G4.8).
    case queueFinished(entry: QueueEntry<S>)
    /// An entry left the queue (G4.5).
    case queueRemoved(entry: QueueEntry<S>)
    /// A server validated a transaction (G4.19).
    case deliveryValidated(DeliveryValidated<S>)
    /// A purchase was persisted (G4.7).
    case deliveryPersisted(DeliveryPersisted<S>)
    /// A download changed or made progress (G4.16).
    case deliveryDownload(DeliveryDownload<S>)
    /// Downloaded files were moved to their place (G4.18).
    case deliveryInstalled(DeliveryInstalled<S>)
    /// The user can now use the purchase (G4.7).
    case deliveryDelivered(DeliveryDelivered<S>)
    /// The user can no longer use the purchase (G6.9).
    case deliveryWithdrawn(DeliveryWithdrawn<S>)
    /// A launch unlocked a product from the persistent record (G4.14).
    case deliveryUnlocked(product: ProductID<S>)
    /// The user consumed part of a consumable (G4.11).
    case deliveryConsumed(DeliveryConsumed<S>)
    /// A snapshot of the receipt begins (G8.2).
    case receiptRefreshed(receipt: ReceiptID<S>)
    /// The App Store's statement about one transaction (G6.1).
    case receiptListed(ReceiptListed<S>)
    /// A receipt was validated (G9.1).
    case receiptValidated(ReceiptValidated<S>)
    /// The user or the app started a restore (G8.1).
    case restoreRequested(by: Requester)
    /// The user chose a product to download again (G8.4).
    case restoreSelected(product: ProductID<S>)
    /// A restore succeeded (G4.6).
    case restoreCompleted
    /// A restore failed (G4.6).
    case restoreFailed(RestoreFailed<S>)
    /// A subscription started (G6.4).
    case renewalStarted(RenewalStarted<S>)
    /// A subscription was renewed (G6.8).
    case renewalRenewed(RenewalRenewed<S>)
    /// A renewal failed (G6.6).
    case renewalFailed(RenewalFailed<S>)
    /// A grace period ended, and the store still retries the payment.
    case renewalGraceExpired(original: TransactionID<S>)
    /// A subscription ended (G6.6).
    case renewalExpired(RenewalExpired<S>)
    /// Auto-renewal was turned off (G6.9); with `commitment`, only that of the commitment.
    case renewalTurnedOff(original: TransactionID<S>, commitment: Bool? = nil)
    /// Auto-renewal was turned on; with `commitment`, only that of the commitment.
    case renewalTurnedOn(original: TransactionID<S>, commitment: Bool? = nil)
    /// The plan changes, now or at the next renewal (G6.5).
    case renewalPlanChanged(RenewalPlanChanged<S>)
    /// The price was raised (G6.6).
    case renewalPriceIncreased(RenewalPriceIncreased<S>)
    /// The current period was extended.
    case renewalExtended(RenewalExtended<S>)
    /// A purchase was refunded, whole or in part (G6.9).
    case cancellationRefunded(CancellationRefunded<S>)
    /// Access to a purchase ended, and nobody was paid back.
    case cancellationRevoked(CancellationRevoked<S>)
    /// A refund was reversed.
    case cancellationReversed(transaction: TransactionID<S>)
    /// A refund was requested, which changes no state.
    case cancellationRequested(transaction: TransactionID<S>)
    /// A refund was declined, which changes no state.
    case cancellationDeclined(transaction: TransactionID<S>)
    /// A status update notification arrived (G7.1).
    case notificationReceived(NotificationReceived<S>)
    /// Content was published (G6.3).
    case contentPublished(ContentPublished<S>)
    /// The user opened content (G6.3).
    case contentOpened(content: ContentID<S>)
    /// A subscription now belongs to the event's account.
    case accountLinked(AccountLinked<S>)
}

extension Fact {
    /// The type of the fact.
    @inlinable
    public var type: EventType {
        switch copy(of: self) {
        case .logOpened: .logOpened
        case .logNoted: .logNoted
        case .logRecovered: .logRecovered
        case .appLaunched: .appLaunched
        case .catalogRequested: .catalogRequested
        case .catalogListed: .catalogListed
        case .catalogInvalid: .catalogInvalid
        case .paymentRestricted: .paymentRestricted
        case .paymentAllowed: .paymentAllowed
        case .paymentRequested: .paymentRequested
        case .queueObserved: .queueObserved
        case .queueUnobserved: .queueUnobserved
        case .queuePurchasing: .queuePurchasing
        case .queueDeferred: .queueDeferred
        case .queueFailed: .queueFailed
        case .queuePurchased: .queuePurchased
        case .queueRestored: .queueRestored
        case .queueFinished: .queueFinished
        case .queueRemoved: .queueRemoved
        case .deliveryValidated: .deliveryValidated
        case .deliveryPersisted: .deliveryPersisted
        case .deliveryDownload: .deliveryDownload
        case .deliveryInstalled: .deliveryInstalled
        case .deliveryDelivered: .deliveryDelivered
        case .deliveryWithdrawn: .deliveryWithdrawn
        case .deliveryUnlocked: .deliveryUnlocked
        case .deliveryConsumed: .deliveryConsumed
        case .receiptRefreshed: .receiptRefreshed
        case .receiptListed: .receiptListed
        case .receiptValidated: .receiptValidated
        case .restoreRequested: .restoreRequested
        case .restoreSelected: .restoreSelected
        case .restoreCompleted: .restoreCompleted
        case .restoreFailed: .restoreFailed
        case .renewalStarted: .renewalStarted
        case .renewalRenewed: .renewalRenewed
        case .renewalFailed: .renewalFailed
        case .renewalGraceExpired: .renewalGraceExpired
        case .renewalExpired: .renewalExpired
        case .renewalTurnedOff: .renewalTurnedOff
        case .renewalTurnedOn: .renewalTurnedOn
        case .renewalPlanChanged: .renewalPlanChanged
        case .renewalPriceIncreased: .renewalPriceIncreased
        case .renewalExtended: .renewalExtended
        case .cancellationRefunded: .cancellationRefunded
        case .cancellationRevoked: .cancellationRevoked
        case .cancellationReversed: .cancellationReversed
        case .cancellationRequested: .cancellationRequested
        case .cancellationDeclined: .cancellationDeclined
        case .notificationReceived: .notificationReceived
        case .contentPublished: .contentPublished
        case .contentOpened: .contentOpened
        case .accountLinked: .accountLinked
        }
    }
}
