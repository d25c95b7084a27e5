import PurchaseEvents
import PurchaseProjections

/// An app's observer: what the queue says is recorded, and what is pending is done.
struct Shop {
    let ledger: PurchaseLedger
    let queue: any PurchaseQueue  // stands for StoreKit's
    let me: Session
    let clock: () throws -> Timestamp

    func launch() throws {
        try perform(.launch)
        try hear(queue.observe())
    }

    func buy(_ product: ProductID<Written>, _ payment: PaymentID<Written>) throws {
        try perform(.request(.init(payment: payment, product: product)))
        try queue.add(payment, product)
    }

    /// What the queue's observer is called with.
    func hear(_ facts: [Fact<Written>]) throws {
        for fact in facts { try ledger.record(fact, by: me, now: clock()) }
        while let next = try due() { try act(next) }
    }

    /// What can be done now; what another account is owed on this device is not this one's to do.
    private func due() throws -> PendingRow? {
        try ledger.pending(account: me.account).first { $0.next != .wait }
    }

    private func act(_ row: PendingRow) throws {
        switch (row.next, row.entry) {
        case (.download, .transaction(let id)):
            for progress in try queue.download(id) { try perform(.download(progress)) }
        case (.deliver, .transaction(let id)): try perform(.deliver(id))
        case (.persist, .transaction(let id)): try perform(.persist(id, in: .server))
        case (.withdraw, .transaction(let id)): try perform(.withdraw(id, because: .refunded))
        case (.finish, let entry?), (.showError, let entry?):
            try perform(.finish(entry))
            try queue.finish(entry)
        case (_, .payment), (_, nil), (.wait, _): break
        }
    }

    func perform(_ command: Command) throws {
        try ledger.perform(command, by: me, now: clock())
    }
}

/// What an app needs of a payment queue.
protocol PurchaseQueue {
    /// Registers the observer: everything that isn't finished is presented.
    func observe() throws -> [Fact<Written>]
    func add(_ payment: PaymentID<Written>, _ product: ProductID<Written>) throws
    /// Starts or takes up the downloads of a transaction, and tells their progress.
    func download(_ id: TransactionID<Written>) throws -> [DeliveryDownload<Written>]
    func finish(_ entry: QueueEntry<Written>) throws
}
