import PurchaseEvents
import PurchaseProjections

/// An app's observer: records queue events and does the pending tasks.
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

    /// The call of the queue's observer.
    func hear(_ facts: [Fact<Written>]) throws {
        for fact in facts { try ledger.record(fact, by: me, now: clock()) }
        while let next = try due() { try act(next) }
    }

    /// The tasks to do now; tasks of other accounts on this device are left alone.
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
    /// Registers the observer, which is then shown every unfinished entry.
    func observe() throws -> [Fact<Written>]
    func add(_ payment: PaymentID<Written>, _ product: ProductID<Written>) throws
    /// Starts or resumes the downloads of a transaction, and reports their progress.
    func download(_ id: TransactionID<Written>) throws -> [DeliveryDownload<Written>]
    func finish(_ entry: QueueEntry<Written>) throws
}
