import PurchaseEvents

/// What the app has still to do: for each open entry of the queue the next step, and what it gave
/// that is no longer owed, or took that is owed again (G4.2, G4.4, G4.7).
///
/// An entry is open on each device that it was presented on, until that device finishes it; a
/// finish by a device that never saw it closes it everywhere. What is finished keeps no memory.
public struct Pending: Projection {
    /// The word that `show` takes.
    public static let name = "pending"
    /// The question that it answers.
    public static let summary = "what the app has still to do, and since when"
    /// The types of event that it folds beside the facts.
    public static let reads = EventTypes(
        .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .queueFinished, .queueRemoved)

    /// What the app does next, in the order in which steps are missing.
    public enum Step: String, CaseIterable, Hashable, Sendable {
        case wait, showError, persist, download, deliver, finish, withdraw
    }

    private var entries: [TransactionID<Interned>: [Presence]] = [:]
    private var payments: [PaymentID<Interned>: OpenPayment] = [:]

    /// The projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts have taken in already.
    public mutating func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        if case .paymentRequested(let request) = event.fact {
            payments[request.payment, default: OpenPayment()].open += 1
        } else if case .queuePurchasing(let payment) = event.fact {
            payments[payment, default: OpenPayment()].enter(.wait, event)
        } else if case .queueDeferred(let payment) = event.fact {
            payments[payment, default: OpenPayment()].enter(.wait, event)
        } else if case .queueFailed(let failed) = event.fact {
            payments[failed.payment, default: OpenPayment()].enter(.showError, event)
        } else if case .queuePurchased(let purchase) = event.fact {
            let isNew = facts[purchase.transaction].purchasedLine == line.number
            if isNew, let payment = purchase.payment { close(payment) }
            present(purchase.transaction, event)
        } else if case .queueRestored(let restored) = event.fact {
            present(restored.transaction, event)
        } else if let transaction = event.transaction {
            close(transaction, on: event.device)
        } else if let payment = event.payment {
            close(payment)
        }
    }

    private mutating func present(
        _ transaction: TransactionID<Interned>, _ event: Event<Interned>
    ) {
        var presences = entries[transaction] ?? []
        if let index = presences.firstIndex(where: { $0.device == event.device }) {
            presences[index].count += 1
        } else {
            presences.append(Presence(device: event.device, since: event.at))
        }
        entries[transaction] = presences
    }

    private mutating func close(
        _ transaction: TransactionID<Interned>, on device: DeviceID<Interned>?
    ) {
        guard let presences = entries[transaction] else { return }
        let others = presences.filter { $0.device != device }
        let isSeen = others.count < presences.count
        entries[transaction] = isSeen && !others.isEmpty ? others : nil
    }

    /// Closes one request of a payment; of a payment object added twice the other stays open.
    private mutating func close(_ payment: PaymentID<Interned>) {
        guard let open = payments[payment]?.open else { return }
        if open > 1 { payments[payment]?.open -= 1 } else { payments[payment] = nil }
    }

    /// The rows by what is known now, as true at an instant.
    public func rows(_ facts: Facts, asOf instant: Timestamp) -> [PendingRow] {
        let owed = Owed(facts, asOf: instant)
        var rows: [PendingRow] = []
        for (payment, open) in payments {
            guard let step = open.step else { continue }
            rows.append(PendingRow(payment, step, open, facts))
        }
        for (transaction, presences) in entries {
            let step = owed.next(transaction, presences.map(\.device))
            rows.append(PendingRow(transaction, step, presences, facts))
        }
        rows += owed.changed(but: { entries[$0] != nil })
        return rows.inOrder { $0.precedes($1) }
    }
}

/// That a transaction was presented on a device and not finished there.
struct Presence: Sendable {
    var device: DeviceID<Interned>?
    /// When it was presented first.
    var since: Timestamp
    var count: Int64 = 1
}

/// A payment that has become no transaction yet.
struct OpenPayment: Sendable {
    /// Requests that have neither been purchased nor finished; 0 for one that the log never saw.
    var open = 0
    /// What the app does; `nil` while the queue has said nothing.
    var step: Pending.Step?
    /// Since when it is in the state that the queue told last, and how often that was told.
    var since: Timestamp?, count: Int64 = 0
    private var type: EventType?

    mutating func enter(_ step: Pending.Step, _ event: Event<Interned>) {
        count = type == event.type ? count + 1 : 1
        if type != event.type { since = event.at }
        type = event.type
        self.step = step
    }
}

/// A row of ``Pending``.
public struct PendingRow: ProjectionRow {
    /// The account; `nil` where no fact says.
    public let account: String?
    /// The transaction, or else the payment that has none yet.
    public let transaction: String?, payment: String?
    /// The product, where it is known.
    public let product: String?
    /// What the app does next.
    public let next: Pending.Step
    /// When the entry was presented first; of what has changed after the finish, when it did.
    public let since: Timestamp?
    /// How often it was presented; absent for what is in no queue.
    public let presentations: Int64?

    init(
        _ payment: PaymentID<Interned>, _ step: Pending.Step, _ open: OpenPayment, _ facts: Facts
    ) {
        account = facts[payment].account.map(facts.names.text)
        transaction = nil
        self.payment = facts.names.text(of: payment)
        product = facts[payment].product.map(facts.names.text)
        next = step
        since = open.since
        presentations = open.count
    }

    init(
        _ transaction: TransactionID<Interned>, _ step: Pending.Step, _ presences: [Presence],
        _ facts: Facts
    ) {
        account = facts.owner(of: transaction).map(facts.names.text)
        self.transaction = facts.names.text(of: transaction)
        payment = nil
        product = facts[transaction].product.map(facts.names.text)
        next = step
        since = presences.map(\.since).min()
        presentations = presences.map(\.count).reduce(0, saturatingSum)
    }

    init(
        _ transaction: TransactionID<Interned>, _ step: Pending.Step, since: Timestamp?,
        _ facts: Facts
    ) {
        account = facts.owner(of: transaction).map(facts.names.text)
        self.transaction = facts.names.text(of: transaction)
        payment = nil
        product = facts[transaction].product.map(facts.names.text)
        next = step
        self.since = since
        presentations = nil
    }

    /// The row's keys and values in the order of tool.md.
    public var fields: [RowField] {
        [
            RowField("account", .text(account)), RowField("transaction", .text(transaction)),
            RowField("payment", .text(payment)), RowField("product", .text(product)),
            RowField("next", .text(next.rawValue)), RowField("since", .time(since)),
            RowField("presentations", .integer(presentations)),
        ].compactMap { $0 }
    }

    fileprivate func precedes(_ other: PendingRow) -> Bool {
        RowOrder().by(account, other.account).by(product, other.product)
            .by(transaction, other.transaction).by(payment, other.payment).precedes
    }
}
