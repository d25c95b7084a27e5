import PurchaseEvents
import PurchaseImport
import PurchaseProjections

/// Records the transactions of StoreKit 2, and calls the app to do its work.
///
/// The App Store's signed statements go through the importer, so a device and a server write the
/// same events for a transaction, with equal `id`s. Unverified statements are ignored.
///
/// | StoreKit 2 | events |
/// |---|---|
/// | `Product.purchase` is called | `payment.requested`, `queue.purchasing` |
/// | `.success(.verified)` | the statement, `queue.purchased`; then the app's acts |
/// | `.success(.unverified)` | `queue.failed` with the reason, `queue.finished` |
/// | `.userCancelled`, an error | `queue.failed`, `queue.finished` |
/// | `.pending` | `queue.deferred` |
/// | `Transaction.unfinished` | the statement, `queue.purchased` |
/// | `Transaction.updates` | the statement; `queue.purchased` if it isn't finished or revoked |
/// | `Transaction.currentEntitlements` | the statement |
/// | `Transaction.all` | the statement, if it says anything new |
/// | a redeemed offer code | the statement, `queue.purchased` |
/// | `Product.SubscriptionInfo.status` | what a status page of the App Store's server states |
///
/// The statement of a transaction is a `receipt.listed`, and also a cancellation if the transaction
/// was revoked. StoreKit 2 states that a refund was reversed, or that a family shares again, only
/// by leaving the revocation out: a statement without one that is signed after the statement of the
/// refund is also a `cancellation.reversed`.
public actor TransactionRecorder {
    /// The ledger that the recorder writes to.
    public nonisolated let ledger: PurchaseLedger
    let settings: RecorderSettings
    weak var handler: (any TransactionHandler)?
    var book: RecorderBook
    /// The transactions presented since the launch, by their identifiers.
    var presented:
        [String: (
            transaction: any ObservedSignedTransaction, listed: ReceiptListed<Written>,
            account: String?
        )] = [:]
    /// The transactions in the entitlements reported since the launch.
    var entitlementTransactions: Set<String> = []
    /// Whether due tasks are being performed, and whether to check for more afterwards.
    private var isWorking = false, hasMoreWork = false

    /// Creates a recorder that keeps its notes in a file, by convention the log's path with
    /// `.notes` added.
    ///
    /// Throws ``RecorderProblem/notes(_:)`` if the file can't be read.
    public init(
        ledger: PurchaseLedger, notes path: String, settings: RecorderSettings,
        handler: any TransactionHandler
    ) throws(RecorderProblem) {
        try self.init(
            ledger: ledger, notes: ReplacedFile(at: path), settings: settings, handler: handler)
    }

    /// Creates a recorder that keeps its notes in another file system.
    package init(
        ledger: PurchaseLedger, notes file: ReplacedFile, settings: RecorderSettings,
        handler: any TransactionHandler
    ) throws(RecorderProblem) {
        (self.ledger, self.settings, self.handler) = (ledger, settings, handler)
        book = try RecorderBook(ledger, settings, notes: file)
    }

    // MARK: Launching

    /// Records the launch and the transactions in `Transaction.unfinished` (G4.1).
    ///
    /// Call this method as soon as the app starts, in addition to the task that listens to
    /// `Transaction.updates`.
    ///
    /// A purchase that was in progress when the app ended, and isn't in `unfinished`, is recorded
    /// as failed, because its call never returns.
    public func launch(unfinished: [any ObservedSignedTransaction]) async throws(RecorderProblem) {
        if let problem = book.unreadableNotes { await handler?.receive(problem) }
        try book.perform(.launch)
        try book.endLostRestore()
        try settleFinishes(unfinished)
        for transaction in unfinished { try await take(transaction, .unfinished) }
        for payment in book.notes.payments where payment.transaction == nil {
            switch ledger.phase(of: payment.key) {
            case .requested, .purchasing: try await fail(payment, "appEnded")
            case .failed: try await closeFailure(payment)
            // The crash came before the request was recorded.
            case .unseen: book.notes.payments.removeAll { $0.key == payment.key }
            case .deferred, .purchased: break
            }
        }
        await workOnDueTasks()
    }

    /// Records the finishes that a crash interrupted: the finishes of transactions that are no
    /// longer unfinished.
    private func settleFinishes(
        _ unfinished: [any ObservedSignedTransaction]
    ) throws(RecorderProblem) {
        guard !book.notes.finishing.isEmpty else { return }
        let names = unfinished.compactMap { StoreStatements($0)?.listed?.transaction.name }
        try book.settleFinishes { entry in
            entry.transaction.map { !names.contains($0.name) } ?? false
        }
    }

    // MARK: Products

    /// Records the answer to `Product.products(for:)`; a requested name without a product in the
    /// answer is recorded as invalid (G2.2).
    public func received(_ products: [any ObservedProduct], askedFor names: [String]) async {
        var drafts: [Draft] = []
        func add(_ facts: Fact<Written>...) { drafts += facts.map { settings.draft($0) } }
        for product in products {
            if let money = product.money { book.prices[product.observedProduct] = money }
            guard let listed = product.listing(settings.kinds) else {
                await handler?.receive(
                    .unknownKind(of: product.observedProduct, word: product.observedKindWord))
                continue
            }
            add(.catalogRequested(product: listed.product), .catalogListed(listed))
        }
        let valid = Set(products.map(\.observedProduct))
        for name in names where !valid.contains(name) {
            let product = ProductID<Written>(name)
            add(.catalogRequested(product: product), .catalogInvalid(product: product))
        }
        guard !drafts.isEmpty else { return }
        await reporting { () throws(RecorderProblem) in try book.record(drafts) }
    }

    // MARK: Buying

    /// Records that the app is about to call `Product.purchase`, and returns the payment's key.
    ///
    /// Throws ``RecorderProblem`` if the ledger refuses the payment or the key can't be saved; then
    /// don't call `purchase`.
    public func begin(_ order: PaymentOrder) throws(RecorderProblem) -> String {
        let payment = book.payment(for: order)
        book.notes.payments.append(payment)
        do throws(RecorderProblem) {
            try book.saveNotes()
            try book.perform(.request(payment.request), id: payment.id, payment.session)
        } catch {
            book.notes.payments.removeAll { $0.key == payment.key }
            throw error
        }
        try book.record(.queuePurchasing(payment: payment.key), payment.session)
        return payment.key.name
    }

    /// Records the result of `Product.purchase`, and performs the tasks that are due.
    public func end(_ payment: String, _ result: ObservedPurchaseResult) async {
        guard let noted = book.notes.payments.first(where: { $0.key.name == payment }) else {
            return
        }
        await reporting { () throws(RecorderProblem) in
            switch result {
            case .success(let transaction): try await take(transaction, .purchase(noted))
            case .userCancelled: try await fail(noted, KnownError.cancelled.rawValue)
            case .failed(let error): try await fail(noted, error.word)
            case .pending:
                try book.record(.queueDeferred(payment: noted.key), noted.session)
                await handler?.showWaiting(product: noted.request.product.name)
            }
        }
        await workOnDueTasks()
    }

    func fail(_ payment: NotedPayment, _ word: String) async throws(RecorderProblem) {
        let failed = QueueFailed<Written>(payment: payment.key, error: ErrorWord(word))
        try book.record(.queueFailed(failed), payment.session)
        await handler?.show(
            FailedPayment(
                payment: payment.key.name, product: payment.request.product.name, error: word))
        try await closeFailure(payment)
    }

    /// Records the finish of a failed payment; StoreKit 2 has no queue entry for it.
    private func closeFailure(_ payment: NotedPayment) async throws(RecorderProblem) {
        // A crash may have come after the record.
        try book.perform(
            .finish(.payment(payment.key)), payment.session, ignoring: [.finishedAlready])
        book.notes.payments.removeAll { $0.key == payment.key }
        try book.saveNotes()
    }

    // MARK: Working

    /// Performs the tasks that are due now, as far as the app allows.
    public func workOnDueTasks() async {
        guard !isWorking else {
            hasMoreWork = true
            return
        }
        isWorking = true
        var stuck: Set<String> = []
        repeat {
            hasMoreWork = false
            var rows: [PendingRow] = []
            await reporting { () throws(RecorderProblem) in rows = try dueRows() }
            for row in rows {
                guard let name = row.transaction, !stuck.contains(name) else { continue }
                var isDone = false
                await reporting { () throws(RecorderProblem) in isDone = try await step(row, name) }
                if isDone { hasMoreWork = true } else { stuck.insert(name) }
            }
        } while hasMoreWork
        isWorking = false
    }
}
