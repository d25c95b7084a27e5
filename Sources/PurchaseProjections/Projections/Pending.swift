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
        /// The store has to answer first.
        case wait
        /// The payment failed: the user is told, and the entry finished.
        case showError
        /// The purchase is saved where it outlives the app's process.
        case persist
        /// Hosted content is fetched.
        case download
        /// The user gets what was paid for.
        case deliver
        /// Nothing is owed any more: the entry is finished.
        case finish
        /// What was delivered is taken back: it was refunded, or is over.
        case withdraw
    }

    private var entries = HandleMap<[Presence]>([])
    private var payments = HandleMap(OpenPayment())

    /// The projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts have taken in already.
    public mutating func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        if case .paymentRequested(let request) = event.fact {
            payments[orEmpty: HandleKey(.payment(request.payment))].open += 1
        } else if case .queuePurchasing(let payment) = event.fact {
            enter(payment, event, facts)
        } else if case .queueDeferred(let payment) = event.fact {
            enter(payment, event, facts)
        } else if case .queueFailed(let failed) = event.fact {
            enter(failed.payment, event, facts)
        } else if case .queuePurchased(let purchase) = event.fact {
            let isNew = facts[purchase.transaction].purchasedLine == line.number
            if isNew, let payment = purchase.payment { close(payment) { $0.purchase() } }
            present(purchase.transaction, event)
        } else if case .queueRestored(let restored) = event.fact {
            present(restored.transaction, event)
        } else if let transaction = facts.transaction(of: event) {
            close(transaction, on: event.device)
        } else if let payment = event.payment {
            let failures = facts[payment].entry.failures
            close(payment) {
                event.type == .queueFinished ? $0.finish(leaving: failures) : $0.remove()
            }
        }
    }

    /// Takes in what the queue says of a payment: of one that is purchased nothing more counts,
    /// unless another request of it is open.
    private mutating func enter(
        _ payment: PaymentID<Interned>, _ event: Event<Interned>, _ facts: Facts
    ) {
        let key = HandleKey(.payment(payment))
        let open = payments[key]?.open ?? 0
        if open == 0, facts[payment].entry.isPurchased { return }
        payments[orEmpty: key].enter(event)
    }

    private mutating func present(
        _ transaction: TransactionID<Interned>, _ event: Event<Interned>
    ) {
        let key = HandleKey(transaction)
        let index = entries[key]?.firstIndex { $0.device == event.device }
        if let index {
            entries[orEmpty: key][index].count += 1
        } else {
            entries[orEmpty: key].append(Presence(device: event.device, since: event.at))
        }
    }

    private mutating func close(
        _ transaction: TransactionID<Interned>, on device: DeviceID<Interned>?
    ) {
        let key = HandleKey(transaction)
        guard let presences = entries[key] else { return }
        let others = presences.filter { $0.device != device }
        let isSeen = others.count < presences.count
        entries[key] = isSeen && !others.isEmpty ? others : nil
    }

    /// Closes one request of a payment by what tells whether another one stays open, as of a
    /// payment object added twice.
    private mutating func close(
        _ payment: PaymentID<Interned>, _ closing: (inout OpenPayment) -> Bool
    ) {
        let key = HandleKey(.payment(payment))
        guard payments[key] != nil else { return }
        if !closing(&payments[orEmpty: key]) { payments[key] = nil }
    }

    /// Calls `body` with each row by what is known now, as true at an instant.
    public func forEachRow(
        _ facts: Facts, asOf instant: Timestamp, _ body: (PendingRow) -> Void
    ) {
        let (names, texts) = (facts.names, RowTexts(facts.names))
        let all = tasks(facts, asOf: instant)
        for task in all.inOrder(names, account: \.account, { $0.precedes($1, names) }) {
            body(PendingRow(task, texts))
        }
    }

    private func tasks(_ facts: Facts, asOf instant: Timestamp) -> [PendingTask] {
        let owed = Owed(facts, asOf: instant)
        var tasks: [PendingTask] = []
        for (key, open) in payments.entries {
            guard case .payment(let payment) = key.entry, let told = open.told else { continue }
            tasks.append(PendingTask(payment, told, facts))
        }
        for (key, presences) in entries.entries {
            guard case .transaction(let transaction) = key.entry else { continue }
            let step = owed.next(transaction, presences.map(\.device))
            tasks.append(PendingTask(transaction, step, presences, facts))
        }
        return tasks + owed.changed(but: { entries[HandleKey($0)] != nil })
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
    /// What the queue told of a request that waits, and of one that failed and isn't finished.
    private var waiting: Told?, failure: Told?
    /// The type of what the queue told last of those that are open.
    private var latest: EventType?

    /// A state that the queue told, since when, and how often without another one between.
    struct Told: Sendable {
        var type: EventType
        var since: Timestamp
        var count: Int64 = 1

        /// What the app does.
        var step: Pending.Step { type == .queueFailed ? .showError : .wait }
    }

    /// The state that is shown, the one told last; `nil` while the queue has said nothing.
    var told: Told? {
        latest == .queueFailed ? failure ?? waiting : waiting ?? failure
    }

    /// Takes in what the queue says: of one request the latest counts, of several one may wait
    /// while another one has failed.
    mutating func enter(_ event: Event<Interned>) {
        let isFailure = event.type == .queueFailed
        var new = Told(type: event.type, since: event.at)
        if latest == event.type, let told {
            new.since = told.since
            new.count = told.count + 1
        }
        latest = event.type
        if isFailure {
            failure = new
            if open < 2 { waiting = nil }
        } else {
            waiting = new
            if open < 2 { failure = nil }
        }
    }

    /// Takes in that one was purchased, where several are open mostly one that waited; whether
    /// another one is still open.
    mutating func purchase() -> Bool {
        guard remove() else { return false }
        if open == 1, failure != nil {
            waiting = nil
            latest = .queueFailed
        }
        return true
    }

    /// Takes in that one was finished, after which so many failures are not; whether another one
    /// is still open.
    mutating func finish(leaving failures: UInt8) -> Bool {
        guard remove() else { return false }
        if failure != nil, failures == 0 || (open == 1 && waiting != nil) {
            failure = nil
            latest = waiting?.type
        }
        return true
    }

    /// Takes in that one left the queue; whether another one is still open.
    mutating func remove() -> Bool {
        guard open > 1 else { return false }
        open -= 1
        return true
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

    fileprivate init(_ task: PendingTask, _ texts: RowTexts) {
        account = texts.text(of: task.account)
        transaction = texts.text(of: task.transaction)
        payment = texts.text(of: task.payment)
        product = texts.text(of: task.product)
        next = task.next
        since = task.since
        presentations = task.presentations
    }

    /// The entry of the queue that it is about.
    public var entry: QueueEntry<Written>? {
        if let transaction { return .transaction(TransactionID(transaction)) }
        return payment.map { .payment(PaymentID($0)) }
    }

    /// Writes the row's keys and values in the order of tool.md.
    public func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer) {
        writer.write("account", account)
        writer.write("transaction", transaction)
        writer.write("payment", payment)
        writer.write("product", product)
        writer.write("next", next.rawValue)
        writer.write("since", since)
        writer.write("presentations", presentations)
    }
}

/// What a row of ``Pending`` is made of.
struct PendingTask {
    let account: AccountID<Interned>?
    /// The transaction, or else the payment that has none yet.
    let transaction: TransactionID<Interned>?, payment: PaymentID<Interned>?
    let product: ProductID<Interned>?
    let next: Pending.Step
    let since: Timestamp?
    let presentations: Int64?

    init(_ payment: PaymentID<Interned>, _ told: OpenPayment.Told, _ facts: Facts) {
        account = facts[payment].account
        transaction = nil
        self.payment = payment
        product = facts[payment].product
        next = told.step
        since = told.since
        presentations = told.count
    }

    init(
        _ transaction: TransactionID<Interned>, _ step: Pending.Step, _ presences: [Presence],
        _ facts: Facts
    ) {
        account = facts.owner(of: transaction)
        self.transaction = transaction
        payment = nil
        product = facts[transaction].product
        next = step
        since = presences.map(\.since).min()
        presentations = presences.map(\.count).reduce(0) { $0.addingSaturating($1) }
    }

    init(
        _ transaction: TransactionID<Interned>, _ step: Pending.Step, since: Timestamp?,
        _ facts: Facts
    ) {
        account = facts.owner(of: transaction)
        self.transaction = transaction
        payment = nil
        product = facts[transaction].product
        next = step
        self.since = since
        presentations = nil
    }

    fileprivate func precedes(_ other: PendingTask, _ names: NameTable) -> Bool {
        RowOrder(names).by(account, other.account).by(product, other.product)
            .by(transaction, other.transaction).by(payment, other.payment).precedes
    }
}
