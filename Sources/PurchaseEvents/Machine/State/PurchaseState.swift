/// The state after some events: every payment, transaction, subscription, device and product.
///
/// ``evolve(_:)`` applies whatever happened; ``decide(_:_:by:now:)`` says whether the app may act.
/// The state describes what was known at that line of the log. Applying an event costs a few
/// look-ups, whatever the length of the log; a state of ``Interned`` names holds no text.
public struct PurchaseState<S: Spelling>: Hashable, Sendable {
    /// The transactions that any event named, except finished consumables, which are stored
    /// compactly; ``transaction(_:)`` finds both.
    public internal(set) var transactions: [TransactionID<S>: TransactionState<S>] = [:]
    /// The payment objects that any event named.
    public internal(set) var payments: [PaymentID<S>: PaymentState<S>] = [:]
    /// The subscriptions, by original transaction; also purchases that other transactions name as
    /// their original.
    public internal(set) var subscriptions: [TransactionID<S>: SubscriptionState<S>] = [:]
    /// The devices; `nil` is the unnamed device.
    public internal(set) var devices: [DeviceID<S>?: DeviceState<S>] = [:]
    /// The products that were listed or bought.
    public internal(set) var products: [ProductID<S>: ProductState<S>] = [:]
    /// The content that was published (G6.3).
    public internal(set) var contents: [ContentID<S>: ContentState<S>] = [:]
    /// The environment of events that name none (event-log.md, 2).
    public internal(set) var environment = Environment.production

    /// Finished consumables: most purchases of a long log, rarely needed again.
    var compacted: [TransactionID<S>: CompactPurchase<S>] = [:]
    /// The downloads of each transaction, except downloads that had ended at its finish (G4.16).
    var downloads: [TransactionID<S>: [DownloadID<S>: DownloadState]] = [:]
    var endedDownloads: [TransactionID<S>: Set<DownloadID<S>>] = [:]
    /// The purchases of each payment of which several were not finished, oldest first.
    var openPurchases: [PaymentID<S>: ArraySlice<TransactionID<S>>] = [:]
    /// The notifications whose events are refused (G7.2).
    var untrusted: Set<NotificationID<S>> = []

    /// The state before any event.
    public init() {}

    /// The phase of a transaction.
    public func phase(of transaction: TransactionID<S>) -> TransactionPhase {
        self.transaction(transaction)?.phase ?? .unseen
    }

    /// The state of a transaction, or `nil` if no event named it.
    public func transaction(_ id: TransactionID<S>) -> TransactionState<S>? {
        transactions[id] ?? compacted[id].map { TransactionState($0) }
    }

    /// The phase of a payment object.
    public func phase(of payment: PaymentID<S>) -> PaymentPhase {
        payments[payment]?.phase ?? .unseen
    }

    /// The phase of the subscription with an original transaction.
    public func subscriptionPhase(of original: TransactionID<S>) -> SubscriptionPhase {
        subscriptions[original]?.phase ?? .unseen
    }

    /// The state of a device; `nil` is the unnamed device.
    public func device(_ device: DeviceID<S>?) -> DeviceState<S> {
        devices[device] ?? DeviceState()
    }

    /// The downloads of a transaction that haven't ended, including failed ones (G4.16).
    public func openDownloads(of transaction: TransactionID<S>) -> [DownloadID<S>] {
        (downloads[transaction] ?? [:]).filter { !$0.value.isTerminal }.map(\.key)
    }

    /// The kind of a transaction's product: as listed, else as stated, else inferred.
    ///
    /// A transaction with an end date is auto-renewable unless the queue restored it, and one with
    /// a quantity above 1 is a consumable (G3.1).
    public func kind(of transaction: TransactionState<S>) -> ProductKind? {
        let known = transaction.product.flatMap { products[$0]?.kind }
        if let kind = known ?? transaction.kindStated.value { return kind }
        if transaction.expiresAt != nil {
            return transaction.phase.isRestored ? nil : .autoRenewable
        }
        return transaction.quantity > 1 ? .consumable : nil
    }

    /// The part of the state that ``admit(_:_:)`` reads; its size depends on devices and untrusted
    /// notifications, not on purchases.
    package var admissionState: PurchaseState {
        var admissionState = PurchaseState()
        admissionState.devices = devices
        admissionState.untrusted = untrusted
        admissionState.environment = environment
        return admissionState
    }

    /// The state after an event; an event that the state forbids changes nothing.
    public func evolved(by event: Event<S>) -> PurchaseState {
        var next = self
        next.evolve(event)
        return next
    }
}
