/// What is known after a number of events: every payment, transaction, line, device and product.
///
/// ``evolve(_:)`` takes in whatever happened; ``decide(_:_:by:now:)`` tells whether the app may
/// act.
/// It answers for the log's order: what was known at that line. One event costs a few look-ups,
/// whatever the length of the log; a state of ``Interned`` names holds no text.
public struct PurchaseState<S: Spelling>: Hashable, Sendable {
    /// The transactions that any event named, but for finished consumables, which are put away;
    /// ``transaction(_:)`` finds both.
    public internal(set) var transactions: [TransactionID<S>: TransactionState<S>] = [:]
    /// The payment objects that any event named.
    public internal(set) var payments: [PaymentID<S>: PaymentState<S>] = [:]
    /// The lines, by their original: those that hold more than one purchase.
    public internal(set) var lines: [TransactionID<S>: LineState<S>] = [:]
    /// The devices; `nil` is the unnamed one.
    public internal(set) var devices: [DeviceID<S>?: DeviceState<S>] = [:]
    /// The products that were listed or bought.
    public internal(set) var products: [ProductID<S>: ProductState<S>] = [:]
    /// The content that was published (G6.3).
    public internal(set) var contents: [ContentID<S>: ContentState<S>] = [:]
    /// The environment of events that don't name one (event-log.md, 2).
    public internal(set) var environment = Environment.production

    /// Finished consumables, by far the most of what a long log holds and of no more interest.
    var settled: [TransactionID<S>: SettledPurchase<S>] = [:]
    /// The downloads of transactions, but for those that had ended when it was finished (G4.16).
    var downloads: [TransactionID<S>: [DownloadID<S>: DownloadState]] = [:]
    /// The notifications that nothing may be taken from (G7.2).
    var distrusted: Set<NotificationID<S>> = []

    /// The state before any event.
    public init() {}

    /// The phase of a transaction.
    public func phase(of transaction: TransactionID<S>) -> TransactionPhase {
        self.transaction(transaction)?.phase ?? .unseen
    }

    /// What is known of a transaction; `nil` where no event named it.
    public func transaction(_ id: TransactionID<S>) -> TransactionState<S>? {
        transactions[id] ?? settled[id].map { TransactionState($0) }
    }

    /// The phase of a payment object.
    public func phase(of payment: PaymentID<S>) -> PaymentPhase {
        payments[payment]?.phase ?? .unseen
    }

    /// The phase of the line of an original.
    public func linePhase(of original: TransactionID<S>) -> LinePhase {
        lines[original]?.phase ?? .unseen
    }

    /// What is known of a device; `nil` is the unnamed one.
    public func device(_ device: DeviceID<S>?) -> DeviceState<S> {
        devices[device] ?? DeviceState()
    }

    /// The downloads of a transaction that haven't ended yet, failed ones among them (G4.16).
    public func openDownloads(of transaction: TransactionID<S>) -> [DownloadID<S>] {
        (downloads[transaction] ?? [:]).filter { !$0.value.isTerminal }.map(\.key)
    }

    /// The kind of a transaction's product: what the catalogue says, else a statement of it, else
    /// what it looks like: what has an end is renewed, and only of a consumable is more than one
    /// bought at once (G3.1).
    public func kind(of transaction: TransactionState<S>) -> ProductKind? {
        let known = transaction.product.flatMap { products[$0]?.kind }
        if let kind = known ?? transaction.kindStated.value { return kind }
        if transaction.expiresAt != nil {
            return transaction.phase.isRestored ? nil : .autoRenewable
        }
        return transaction.quantity > 1 ? .consumable : nil
    }

    /// As much of the state as ``admit(_:_:)`` looks at: it grows with devices, not with purchases.
    package var sight: PurchaseState {
        var sight = PurchaseState()
        sight.devices = devices
        sight.distrusted = distrusted
        sight.environment = environment
        return sight
    }

    /// The state after an event, whatever it is; one that the state forbids changes nothing.
    public func evolved(by event: Event<S>) -> PurchaseState {
        var next = self
        next.evolve(event)
        return next
    }
}
