/// What an event says: one case a type, in the order of ``EventType``, with what it carries.
///
/// The structs that it carries declare values of a known size first and names and texts last, and
/// store what may be absent as ``Packed``: so few offsets depend on the spelling.
public enum Fact<S: Spelling>: Hashable, Sendable {
    /// The log begins here: always line 1.
    case logOpened(LogOpened<S>)
    /// A person's remark; it changes nothing.
    case logNoted(text: S.Text)
    /// What a crash left behind the last whole line was cut off, and is kept beside the log.
    case logRecovered(LogRecovered<S>)
    /// The app was launched.
    case appLaunched
    /// The app asked for a product (G2.2).
    case catalogRequested(product: ProductID<S>)
    /// A product is on sale (G2.2).
    case catalogListed(CatalogListed<S>)
    /// A product identifier is invalid (G2.2).
    case catalogInvalid(product: ProductID<S>)
    /// The user may not pay (G2.3).
    case paymentRestricted
    /// The user may pay (G2.3).
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
    /// A transaction is purchased, and the product is owed (G4.2).
    case queuePurchased(QueuePurchased<S>)
    /// A transaction restores what was bought before (G8.3).
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
    /// Downloaded files were put in their place (G4.18).
    case deliveryInstalled(DeliveryInstalled<S>)
    /// The user can now use what was bought (G4.7).
    case deliveryDelivered(DeliveryDelivered<S>)
    /// The user can no longer use it (G6.9).
    case deliveryWithdrawn(DeliveryWithdrawn<S>)
    /// A product was found unlocked from the persistent record at a launch (G4.14).
    case deliveryUnlocked(product: ProductID<S>)
    /// Something of a consumable was used up (G4.11).
    case deliveryConsumed(DeliveryConsumed<S>)
    /// A snapshot of the receipt begins (G8.2).
    case receiptRefreshed(receipt: ReceiptID<S>)
    /// The App Store's statement of one transaction (G6.1).
    case receiptListed(ReceiptListed<S>)
    /// A receipt was validated (G9.1).
    case receiptValidated(ReceiptValidated<S>)
    /// Restoring was asked for (G8.1).
    case restoreRequested(by: Requester)
    /// The user chose a product to download again (G8.4).
    case restoreSelected(product: ProductID<S>)
    /// A restore ended well (G4.6).
    case restoreCompleted
    /// A restore ended with an error (G4.6).
    case restoreFailed(RestoreFailed<S>)
    /// A subscription started (G6.4).
    case renewalStarted(RenewalStarted<S>)
    /// A subscription was renewed (G6.8).
    case renewalRenewed(RenewalRenewed<S>)
    /// A renewal failed (G6.6).
    case renewalFailed(RenewalFailed<S>)
    /// A grace period ended; the store still tries.
    case renewalGraceExpired(original: TransactionID<S>)
    /// A subscription ended (G6.6).
    case renewalExpired(RenewalExpired<S>)
    /// Auto-renewal was turned off (G6.9).
    case renewalTurnedOff(original: TransactionID<S>)
    /// Auto-renewal was turned on.
    case renewalTurnedOn(original: TransactionID<S>)
    /// The plan changes (G6.5).
    case renewalPlanChanged(RenewalPlanChanged<S>)
    /// The price was raised (G6.6).
    case renewalPriceIncreased(RenewalPriceIncreased<S>)
    /// The current period was made longer.
    case renewalExtended(RenewalExtended<S>)
    /// A purchase was refunded, whole or in part (G6.9).
    case cancellationRefunded(CancellationRefunded<S>)
    /// Family sharing of a purchase ended.
    case cancellationRevoked(CancellationRevoked<S>)
    /// A refund was taken back.
    case cancellationReversed(transaction: TransactionID<S>)
    /// A refund was asked for; it changes nothing.
    case cancellationRequested(transaction: TransactionID<S>)
    /// A refund was declined; it changes nothing.
    case cancellationDeclined(transaction: TransactionID<S>)
    /// A status update notification arrived (G7.1).
    case notificationReceived(NotificationReceived<S>)
    /// Content appeared (G6.3).
    case contentPublished(ContentPublished<S>)
    /// The user opened content (G6.3).
    case contentOpened(content: ContentID<S>)
    /// A subscription line now belongs to the account of the event.
    case accountLinked(AccountLinked<S>)
}

extension Fact {
    /// The type of the fact.
    @inlinable
    public var type: EventType {
        switch self {
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
