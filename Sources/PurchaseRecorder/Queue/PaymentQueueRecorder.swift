import PurchaseEvents
import PurchaseProjections

/// Records what StoreKit 1's payment queue says, and tells the app what to do for it.
///
/// The recorder hears the queue's calls, appends one event for each, asks the ledger what is due,
/// and has the app's ``PurchaseHandler`` do it: deliver, persist, withdraw, show an error. It
/// finishes a transaction when the ledger allows it, never before (G4.7 to G4.10).
///
/// A payment gets its key before it is added to the queue, and keeps it over launches in a file of
/// notes beside the log. What has begun and isn't recorded yet stands there too, so after a crash
/// at any point the next launch records it or does it again.
///
/// Use a recorder on one thread: the main thread, where StoreKit calls its observers.
public final class PaymentQueueRecorder {
    /// The ledger that the recorder records in.
    public let ledger: PurchaseLedger
    let queue: any ObservedQueue
    let settings: RecorderSettings
    /// The app.
    weak var handler: (any PurchaseHandler)?
    var book: RecorderBook

    /// An entry that the queue has shown since the launch.
    struct Shown {
        var transaction: any ObservedTransaction
        var state: ObservedTransactionState
        var entry: QueueEntry<Written>
        /// The payment that the entry is of, if it has a key.
        var payment: PaymentID<Written>?
        var account: String?
        /// The state that the log has; `nil` if the log has none yet.
        var recordedState: ObservedTransactionState?
    }

    /// The entries that the queue has shown since the launch.
    var shown: [Identity: Shown] = [:]
    /// Whether the queue has spoken since the launch.
    var hasSpoken = false
    /// Whether a payment was seen to be restricted.
    var isRestricted = false
    /// The price of one unit of each product listed since the launch.
    var prices: [String: Money] = [:]
    /// The products asked for, and not yet answered.
    var askedFor: [String] = []
    /// The payments whose request is known to be in the log.
    var recordedRequests: Set<PaymentID<Written>> = []
    /// The states of downloads as last recorded, and those started since the launch.
    var downloads: [Identity: DownloadState] = [:]
    var startedDownloads: Set<Identity> = []
    /// The transactions validated, and those whose downloads were installed, since the launch.
    var validated: Set<String> = [], installed: Set<String> = []
    /// Whether tasks are being worked on, and whether to look again afterwards.
    var isWorking = false, hasMoreWork = false

    /// Creates a recorder whose notes lie in a file, by convention that of the log with `.notes`
    /// added.
    ///
    /// Throws ``RecorderProblem/notes(_:)`` if the file can't be read.
    public convenience init(
        ledger: PurchaseLedger, notes path: String, queue: any ObservedQueue,
        settings: RecorderSettings, handler: any PurchaseHandler
    ) throws(RecorderProblem) {
        try self.init(
            ledger: ledger, notes: ReplacedFile(at: path), queue: queue, settings: settings,
            handler: handler)
    }

    /// Creates a recorder whose notes lie in another file system.
    package init(
        ledger: PurchaseLedger, notes file: ReplacedFile, queue: any ObservedQueue,
        settings: RecorderSettings, handler: any PurchaseHandler
    ) throws(RecorderProblem) {
        self.ledger = ledger
        self.queue = queue
        self.settings = settings
        self.handler = handler
        book = try RecorderBook(ledger, settings, notes: file)
    }

    // MARK: Launching

    /// Records the launch and registers with the queue: call it at once when the app starts (G4.1).
    ///
    /// Throws ``RecorderProblem`` if the launch can't be recorded; then the queue isn't observed.
    public func launch() throws(RecorderProblem) {
        if book.notes.unreadable > 0 {
            let lines = "\(book.notes.unreadable) lines of the recorder's notes"
            handler?.receive(.notRecorded(lines, product: nil))
        }
        try book.perform(.launch)
        dropEndedPayments()
        try book.endLostRestore()
        try recordRestriction()
        queue.beginObserving()
        workOnDueTasks()
    }

    /// Stops observing the queue, which nothing but the app's end should need.
    public func endObserving() throws(RecorderProblem) {
        queue.endObserving()
        try book.record(.queueUnobserved)
    }

    /// Drops the keys of payments whose entry was finished before the app ended.
    private func dropEndedPayments() {
        let finishing = book.notes.finishing
        book.notes.payments = book.notes.payments.filter { payment in
            if let transaction = payment.transaction {
                let phase = ledger.phase(of: transaction)
                return !phase.wasFinished || phase.isInQueue
                    || finishing.contains(.transaction(transaction))
            }
            let finish = Command.finish(.payment(payment.key))
            return ledger.phase(of: payment.key) != .failed
                || !ledger.refusals(of: finish, by: settings.session(nil), now: settings.now())
                    .contains(.finishedAlready)
        }
    }

    /// Records whether the user may pay, where that has changed (G2.3).
    func recordRestriction() throws(RecorderProblem) {
        let isRestrictedNow = !queue.mayPay
        guard isRestrictedNow != isRestricted else { return }
        try book.record(isRestrictedNow ? .paymentRestricted : .paymentAllowed)
        isRestricted = isRestrictedNow
    }

    /// Does something, and tells the app what goes wrong.
    func reporting(_ body: () throws(RecorderProblem) -> Void) {
        do throws(RecorderProblem) {
            try body()
        } catch {
            handler?.receive(error)
        }
    }
}
