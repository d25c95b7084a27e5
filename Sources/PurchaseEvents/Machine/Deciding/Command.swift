/// An action that the app takes on its own initiative; ``decide(_:_:by:now:)`` says whether the app
/// may take it.
///
/// All other events come from the App Store, a server or a person, and are recorded as they come.
public enum Command: Hashable, Sendable {
    /// Records that the app was launched and registered its observer at once (G4.1).
    case launch
    /// Adds a payment to the queue (G3.1).
    case request(PaymentRequested<Written>)
    /// Persists a purchase (G4.7, G4.11).
    case persist(TransactionID<Written>, in: PersistentStore)
    /// Starts, pauses, resumes or cancels a download, or records its progress (G4.16).
    case download(DeliveryDownload<Written>)
    /// Moves downloaded files into place (G4.18).
    case install(TransactionID<Written>, in: InstallPlace)
    /// Gives the user what was bought: all that is undelivered, or part of a consumable's quantity.
    case deliver(TransactionID<Written>, quantity: Int64? = nil, until: Timestamp? = nil)
    /// Finishes a queue entry: a transaction, or a payment that failed (G4.8).
    case finish(QueueEntry<Written>)
    /// Withdraws something the user may no longer use (G6.9).
    case withdraw(TransactionID<Written>, because: WithdrawalReason)
    /// Requests a restore of earlier purchases (G8.1).
    case restore(by: Requester)
    /// Records a product that the user chose to restore (G8.4).
    case select(ProductID<Written>)
    /// Opens content for the user (G6.3).
    case open(ContentID<Written>)
    /// Uses up some units of a consumable (G4.11).
    case consume(ProductID<Written>, quantity: Int64? = nil)

    /// The facts that performing the command makes true, in order.
    public var facts: [Fact<Written>] {
        switch self {
        case .launch: [.appLaunched, .queueObserved]
        case .request(let fact): [.paymentRequested(fact)]
        case .persist(let id, let store): [.deliveryPersisted(.init(transaction: id, store: store))]
        case .download(let fact): [.deliveryDownload(fact)]
        case .install(let id, let place): [.deliveryInstalled(.init(transaction: id, place: place))]
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

    /// The event types that only a command may write.
    public static let acts = EventTypes(
        .appLaunched, .queueObserved, .paymentRequested, .deliveryPersisted, .deliveryDownload,
        .deliveryInstalled, .deliveryDelivered, .queueFinished, .deliveryWithdrawn,
        .restoreRequested, .restoreSelected, .contentOpened, .deliveryConsumed)
}
