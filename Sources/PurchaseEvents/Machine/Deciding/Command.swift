/// What an app does of its own will; ``decide(_:_:by:now:)`` tells whether it may.
///
/// All else that a log holds is said by the App Store, a server or a person, and is recorded as it
/// comes.
public enum Command: Hashable, Sendable {
    /// The app was launched, and registers its observer at once (G4.1).
    case launch
    /// Adds a payment to the queue (G3.1).
    case request(PaymentRequested<Written>)
    /// Persists a purchase (G4.7, G4.11).
    case persist(TransactionID<Written>, in: PersistentStore)
    /// Starts, pauses, resumes or cancels a download, or takes note of its progress (G4.16).
    case download(DeliveryDownload<Written>)
    /// Puts downloaded files in their place (G4.18).
    case install(TransactionID<Written>, in: InstallPlace)
    /// Lets the user at what was bought: all that is left of it, or a part of a consumable.
    case deliver(TransactionID<Written>, quantity: Int64? = nil, until: Timestamp? = nil)
    /// Finishes an entry of the queue: a transaction, or a payment that failed (G4.8).
    case finish(QueueEntry<Written>)
    /// Takes back what the user may no longer use (G6.9).
    case withdraw(TransactionID<Written>, because: WithdrawalReason)
    /// Asks for what was bought before (G8.1).
    case restore(by: Requester)
    /// Takes note of a product that the user chose to have restored (G8.4).
    case select(ProductID<Written>)
    /// Opens content for the user (G6.3).
    case open(ContentID<Written>)
    /// Uses up something of a consumable (G4.11).
    case consume(ProductID<Written>, quantity: Int64? = nil)

    /// The facts that it makes true, in order.
    public var facts: [Fact<Written>] {
        switch self {
        case .launch: [.appLaunched, .queueObserved]
        case .request(let fact): [.paymentRequested(fact)]
        case .persist(let id, let store): [.deliveryPersisted(.init(transaction: id, store: store))]
        case .download(let fact): [.deliveryDownload(fact)]
        case .install(let id, let place):
            [.deliveryInstalled(.init(transaction: id, place: place))]
        case .deliver(let id, let quantity, let until):
            [.deliveryDelivered(.init(transaction: id, quantity: quantity, until: until))]
        case .finish(let entry): [.queueFinished(entry: entry)]
        case .withdraw(let id, let reason):
            [.deliveryWithdrawn(.init(transaction: id, reason: reason))]
        case .restore(let requester): [.restoreRequested(by: requester)]
        case .select(let product): [.restoreSelected(product: product)]
        case .open(let content): [.contentOpened(content: content)]
        case .consume(let product, let quantity):
            [.deliveryConsumed(.init(product: product, quantity: quantity))]
        }
    }

    /// The types of event that only commands write: to record one is to act.
    public static let acts = EventTypes(
        .appLaunched, .queueObserved, .paymentRequested, .deliveryPersisted, .deliveryDownload,
        .deliveryInstalled, .deliveryDelivered, .queueFinished, .deliveryWithdrawn,
        .restoreRequested, .restoreSelected, .contentOpened, .deliveryConsumed)
}
