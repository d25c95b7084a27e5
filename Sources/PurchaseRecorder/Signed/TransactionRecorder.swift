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
///
/// The launch is recorded by the first launch, transaction, purchase or restore, in any order.
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
            payment: String?, account: String?
        )] = [:]
    /// The transactions in the entitlements reported since the launch.
    var entitlementTransactions: Set<String> = []
    /// The payments whose `Product.purchase` call is open in this process, by their keys.
    var calls: [String: NotedPayment] = [:]
    /// Whether this process has recorded its launch.
    private var isLaunched = false
    /// What earlier processes left open.
    private let former: RecorderNotes
    /// Whether due tasks are being performed, and whether to check for more afterwards.
    private var isWorking = false, hasMoreWork = false
    /// The transactions whose task couldn't be done since the app last asked for work, and the
    /// number of times that it asked.
    private var stuck: Set<String> = [], requests = 0
    /// Whether the code runs on behalf of the recorder's own work, as the app's handler does.
    @TaskLocal private static var isOwnWork = false

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
        former = book.notes
    }

    // MARK: Launching

    /// Records the launch and the transactions in `Transaction.unfinished` (G4.1).
    ///
    /// Call this method as soon as the app starts, in addition to the task that listens to
    /// `Transaction.updates`.
    ///
    /// A purchase that was in progress when the app ended, and isn't in `unfinished`, is recorded
    /// as failed, because its call never returns. Purchases that this process has begun go on.
    /// Throws ``RecorderProblem`` if the launch can't be recorded; the app is told of other
    /// problems, and each concerns only its own transaction.
    public func launch(unfinished: [any ObservedSignedTransaction]) async throws(RecorderProblem) {
        if let problem = book.unreadableNotes { await handler?.receive(problem) }
        try recordLaunch()
        await reporting { () throws(RecorderProblem) in try endLostRestore() }
        await reporting { () throws(RecorderProblem) in try settleFinishes(unfinished) }
        await take(unfinished, .unfinished)
        let lost = Set(former.payments.map(\.key))
        for payment in book.notes.payments
        where payment.transaction == nil && lost.contains(payment.key) {
            await reporting { () throws(RecorderProblem) in try await settle(payment) }
        }
        await workOnDueTasks()
    }

    /// Records the launch, unless this process has.
    ///
    /// The app may hear an update or begin a purchase before it calls ``launch(unfinished:)``. A
    /// launch recorded after these would end their presentation (G4.4).
    func recordLaunch() throws(RecorderProblem) {
        guard !isLaunched else { return }
        try book.perform(.launch)
        isLaunched = true
    }

    private func endLostRestore() throws(RecorderProblem) {
        guard let restore = book.notes.restore, restore.name == former.restore?.name else { return }
        try book.endLostRestore()
    }

    /// Records the finishes that a crash interrupted: the finishes of transactions that are no
    /// longer unfinished.
    private func settleFinishes(
        _ unfinished: [any ObservedSignedTransaction]
    ) throws(RecorderProblem) {
        guard !former.finishing.isEmpty else { return }
        let names = unfinished.compactMap { StoreStatements($0)?.listed?.transaction.name }
        let held = Set(names).union(presented.keys)
        try book.settleFinishes(of: former.finishing) { entry in
            entry.transaction.map { !held.contains($0.name) } ?? false
        }
    }

    /// Settles a payment that no transaction answered and whose call ended with an earlier process.
    private func settle(_ payment: NotedPayment) async throws(RecorderProblem) {
        switch ledger.phase(of: payment.key) {
        case .requested, .purchasing: try await fail(payment, "appEnded")
        case .failed: try await closeFailure(payment)
        // The crash came before the request was recorded.
        case .unseen: book.notes.payments.removeAll { $0.key == payment.key }
        case .deferred, .purchased: break
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
        try recordLaunch()
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
        calls[payment.key.name] = payment
        return payment.key.name
    }

    /// Records the result of `Product.purchase`, and performs the tasks that are due.
    public func end(_ payment: String, _ result: ObservedPurchaseResult) async {
        let call = calls.removeValue(forKey: payment)
        await reporting { () throws(RecorderProblem) in
            switch (result, call) {
            // Whatever became of its payment, the user paid.
            case (.success(let transaction), _):
                try await take(transaction, call.map { .purchase($0) } ?? .unfinished)
            case (.userCancelled, let call?): try await fail(call, KnownError.cancelled.rawValue)
            case (.failed(let error), let call?): try await fail(call, error.word)
            case (.pending, let call?):
                if isOpen(call) { try book.record(.queueDeferred(payment: call.key), call.session) }
                await handler?.showWaiting(product: call.request.product.name)
            case (.userCancelled, nil), (.failed, nil), (.pending, nil): break
            }
        }
        await workOnDueTasks()
    }

    /// Whether no transaction has taken a payment's key; another one of the product may have taken
    /// it while the call was open.
    func isOpen(_ payment: NotedPayment) -> Bool {
        book.notes.payments.contains { $0.key == payment.key && $0.transaction == nil }
    }

    func fail(_ payment: NotedPayment, _ word: String) async throws(RecorderProblem) {
        let isOpen = isOpen(payment)
        if isOpen {
            let failed = QueueFailed<Written>(payment: payment.key, error: ErrorWord(word))
            try book.record(.queueFailed(failed), payment.session)
        }
        await handler?.show(
            FailedPayment(
                payment: payment.key.name, product: payment.request.product.name, error: word))
        if isOpen { try await closeFailure(payment) }
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
    ///
    /// Call this method when something that a task waits for becomes available, such as the
    /// network. What couldn't be done before the call is tried again, also while other tasks are
    /// being performed; but a call by the handler itself doesn't repeat what the handler couldn't
    /// do.
    public func workOnDueTasks() async {
        if !TransactionRecorder.isOwnWork {
            stuck = []
            requests &+= 1
        }
        hasMoreWork = true
        guard !isWorking else { return }
        isWorking = true
        await TransactionRecorder.$isOwnWork.withValue(true) {
            while hasMoreWork { await workOnce() }
        }
        isWorking = false
    }

    /// Performs one step of each transaction that has a task.
    private func workOnce() async {
        hasMoreWork = false
        var rows: [PendingRow] = []
        await reporting { () throws(RecorderProblem) in rows = try dueRows() }
        for row in rows {
            guard let name = row.transaction, !stuck.contains(name) else { continue }
            let asked = requests
            var isDone = false
            await reporting { () throws(RecorderProblem) in isDone = try await step(row, name) }
            if isDone {
                hasMoreWork = true
            } else if asked == requests {
                stuck.insert(name)
            }
        }
    }
}
