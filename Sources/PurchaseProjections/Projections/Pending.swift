import PurchaseEvents

/// The work that the app still has to do (G4.2, G4.4, G4.7).
///
/// Each open queue entry has a next step, and so does each transaction that must be withdrawn or
/// delivered again. Where the log shows a server's grants, so does each purchase since the first of
/// them that only the App Store's statements attest and that nobody granted.
///
/// An entry is open on each device that it was presented on until that device removes it, or any
/// device finishes it; a device that is shown it again afterwards has it open again. A removal by a
/// device on which the entry is not open closes it everywhere. Finished entries use no memory.
public struct Pending: Projection, CatalogueProjection {
    /// The argument of `show`.
    public static let name = "pending"
    /// The question that the projection answers.
    public static let summary = "what the app still has to do, and since when"
    /// The event types that the projection folds besides the facts.
    public static let reads = EventTypes(
        .appLaunched, .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed,
        .queuePurchased, .queueRestored, .queueFinished, .queueRemoved, .deliveryDelivered)
    package static let identity = ["transaction", "payment"]
    package static let dependencies = RowDependencies(
        .lastingProduct, reads: [.serverGrants, .selections],
        leadingTypes: reads.union(EventTypes(.deliveryDelivered)))

    /// The app's next step.
    public enum Step: String, CaseIterable, Hashable, Sendable {
        /// Wait for the store's answer.
        case wait
        /// Show the payment's error to the user, then finish the entry.
        case showError
        /// Save the purchase where it outlives the app's process.
        case persist
        /// Download the hosted content.
        case download
        /// Give the user the purchased product.
        case deliver
        /// Finish the entry: nothing more is owed.
        case finish
        /// Take back the delivered product: it was refunded or found invalid, or the period is
        /// over.
        case withdraw
    }

    private var entries = HandleMap(OpenPresentations())
    private var payments = HandleMap(OpenPayment())
    private var unanswered = UnansweredPayments()
    private var serverGrants = ServerGrants()

    package mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&entries).visit(&payments).visit(&unanswered).visit(&serverGrants)
    }

    /// Creates the projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts already include.
    public mutating func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {
        serverGrants.observe(event, facts)
        guard event.type != .appLaunched, event.type != .deliveryDelivered else { return }
        if case .paymentRequested(let request) = event.fact {
            payments[orEmpty: HandleKey(.payment(request.payment))].open += 1
        } else if case .queuePurchasing(let payment) = event.fact {
            enter(payment, event, facts)
        } else if case .queueDeferred(let payment) = event.fact {
            enter(payment, event, facts)
        } else if case .queueFailed(let failed) = event.fact {
            enter(failed.payment, event, facts)
        } else if case .queuePurchased(let purchase) = event.fact {
            answer(purchase, event, on: line, facts)
            present(purchase.transaction, event)
        } else if case .queueRestored(let restored) = event.fact {
            present(restored.transaction, event)
        } else if let transaction = facts.transaction(of: event) {
            if event.type == .queueFinished {
                entries[HandleKey(transaction)] = nil
            } else {
                remove(transaction, from: event.device)
            }
        } else if let payment = event.payment {
            let failures = facts[payment].entry.failures
            close(payment) {
                event.type == .queueFinished ? $0.finish(leaving: failures) : $0.remove()
            }
        }
    }

    /// Records a queue event of a payment; ignores events after the purchase, unless another
    /// request of the payment is open.
    private mutating func enter(_ payment: PaymentHandle, _ event: LogEvent, _ facts: Facts) {
        let key = HandleKey(.payment(payment))
        let open = payments[key]?.open ?? 0
        if open == 0, facts[payment].entry.isPurchased { return }
        let wasUnanswered = payments[key]?.isUnanswered ?? false
        payments[orEmpty: key].enter(event)
        if !wasUnanswered, payments[orEmpty: key].isUnanswered, let product = facts[payment].product
        {
            unanswered.add(
                payment, of: UnansweredPayments.Key(product, facts[payment].account, event.device))
        }
    }

    /// Closes the payment that a purchase answers: the one that it names, or the oldest open
    /// deferred or interrupted payment of the same product and account (event-log.md, 4).
    ///
    /// A purchase that is presented again answers nothing, unless it names another payment than
    /// before: Xcode's test environment uses identifiers again.
    private mutating func answer(
        _ purchase: QueuePurchased<Interned>, _ event: LogEvent, on line: Line, _ facts: Facts
    ) {
        let known = facts[purchase.transaction]
        let isNew = known.purchasedLine == line.number
        if let payment = purchase.payment {
            if isNew || known.payment != payment { close(payment) { $0.purchase() } }
            return
        }
        guard isNew, event.mayAnswerPayment else { return }
        let key = UnansweredPayments.Key(purchase.product, event.account, event.device)
        while let payment = unanswered.popFirst(of: key) {
            guard payments[HandleKey(.payment(payment))]?.isUnanswered == true else { continue }
            return close(payment) { $0.answer() }
        }
    }

    private mutating func present(_ transaction: TransactionHandle, _ event: LogEvent) {
        entries[orEmpty: HandleKey(transaction)].present(on: event.device, at: event.at)
    }

    private mutating func remove(_ transaction: TransactionHandle, from device: DeviceHandle?) {
        let key = HandleKey(transaction)
        guard entries[key] != nil else { return }
        if !entries[orEmpty: key].remove(from: device) { entries[key] = nil }
    }

    /// Closes one request of a payment; `closing` returns whether another request stays open,
    /// because a payment object can be added several times.
    private mutating func close(_ payment: PaymentHandle, _ closing: (inout OpenPayment) -> Bool) {
        let key = HandleKey(.payment(payment))
        guard payments[key] != nil else { return }
        if !closing(&payments[orEmpty: key]) { payments[key] = nil }
    }

    /// Calls `body` with each row, as known now and true at an instant.
    public func forEachRow(_ facts: Facts, asOf instant: Timestamp, _ body: (PendingRow) -> Void) {
        let (names, texts) = (facts.names, RowTexts(facts.names))
        let all = tasks(facts, asOf: instant)
        for task in all.inOrder(names, account: \.account, { $0.precedes($1, names) }) {
            body(PendingRow(task, texts))
        }
    }

    private func tasks(_ facts: Facts, asOf instant: Timestamp) -> [PendingTask] {
        let steps = NextSteps(facts, asOf: instant, serverGrantsSince: serverGrants.since)
        var tasks: [PendingTask] = []
        for (key, open) in payments.entries {
            guard case .payment(let payment) = key.entry, let queueState = open.queueState else {
                continue
            }
            tasks.append(PendingTask(payment, queueState, facts))
        }
        for (key, openPresentations) in entries.entries {
            guard case .transaction(let transaction) = key.entry else { continue }
            let all = openPresentations.all
            let step = steps.next(transaction, all.map(\.device))
            tasks.append(
                PendingTask(
                    transaction, step, since: all.map(\.since).min(),
                    presentations: all.reduce(0) { $0.addingSaturating($1.count) }, facts))
        }
        return tasks + steps.tasksOutsideQueue(isOpen: { entries[HandleKey($0)] != nil })
    }
}

/// A row of ``Pending``.
public struct PendingRow: ProjectionRow {
    /// The account; `nil` if unknown.
    public let account: String?
    /// The transaction, or the payment if it has no transaction yet.
    public let transaction: String?, payment: String?
    /// The product, if known.
    public let product: String?
    /// The app's next step.
    public let next: Pending.Step
    /// When the entry was first presented or the payment entered its state; for a change after the
    /// finish, the time of the change, if known.
    public let since: Timestamp?
    /// The number of presentations, or of a payment's equal states in a row; `nil` outside the
    /// queue.
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

    /// Creates the row that asks for the delivery of an entitlement that was never granted.
    package init(delivering entitlement: EntitlementRow) {
        account = entitlement.account
        transaction = entitlement.transaction
        payment = nil
        product = entitlement.product
        next = .deliver
        since = entitlement.from
        presentations = nil
    }

    /// The queue entry that the row is about.
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

struct PendingTask {
    let account: AccountHandle?
    /// The transaction, or the payment if it has no transaction yet.
    let transaction: TransactionHandle?, payment: PaymentHandle?
    let product: ProductHandle?
    let next: Pending.Step
    let since: Timestamp?
    let presentations: Int64?

    init(_ payment: PaymentHandle, _ queueState: OpenPayment.QueueState, _ facts: Facts) {
        account = facts[payment].account
        transaction = nil
        self.payment = payment
        product = facts[payment].product
        next = queueState.step
        since = queueState.since
        presentations = queueState.count
    }

    init(
        _ transaction: TransactionHandle, _ step: Pending.Step, since: Timestamp?,
        presentations: Int64? = nil, _ facts: Facts
    ) {
        account = facts.owner(of: transaction)
        self.transaction = transaction
        payment = nil
        product = facts[transaction].product
        next = step
        self.since = since
        self.presentations = presentations
    }

    fileprivate func precedes(_ other: PendingTask, _ names: NameTable) -> Bool {
        RowOrder(names).by(account, other.account).by(product, other.product)
            .by(transaction, other.transaction).by(payment, other.payment).precedes
    }
}
