import PurchaseEvents
import PurchaseProjections

/// Records the events of StoreKit 1's payment queue, and calls the app to do its work.
///
/// The recorder appends an event for each callback, asks the ledger what is due, and calls the
/// app's ``PurchaseHandler`` to deliver, persist, withdraw or show an error. It finishes a
/// transaction only when the ledger allows the finish (G4.7 to G4.10).
///
/// A payment gets its key before it is added to the queue, and keeps the key between launches in a
/// file of notes beside the log. The notes also hold work that was begun and isn't recorded yet, so
/// after a crash at any point, the next launch records or repeats that work.
///
/// Use a recorder on one thread only: the main thread, where StoreKit calls its observers.
public final class PaymentQueueRecorder {
    /// The ledger that the recorder writes to.
    public let ledger: PurchaseLedger
    let queue: any ObservedQueue
    let settings: RecorderSettings
    /// The app's handler, which does the app's part of the work.
    weak var handler: (any PurchaseHandler)?
    var book: RecorderBook

    /// An entry that the queue has presented since the launch.
    struct PresentedEntry {
        var transaction: any ObservedTransaction
        var state: ObservedTransactionState
        var entry: QueueEntry<Written>
        /// The payment of the entry, if it has a key.
        var payment: PaymentID<Written>?
        var account: String?
        /// The state that was last recorded; `nil` if none was.
        var recordedState: ObservedTransactionState?
    }

    /// The entries that the queue has presented since the launch.
    var presented: [Identity: PresentedEntry] = [:]
    /// Whether the queue has presented anything since the launch.
    var hasPresented = false
    /// Whether payments were restricted when last checked.
    var isRestricted = false
    /// The products that were requested and not answered yet.
    var askedFor: [String] = []
    /// The payments whose requests are certainly in the log.
    var recordedRequests: Set<PaymentID<Written>> = []
    /// The last recorded states of downloads, and the downloads started since the launch.
    var downloads: [Identity: DownloadState] = [:]
    var startedDownloads: Set<Identity> = []
    /// The transactions validated since the launch, and those whose downloads were installed.
    var validated: Set<String> = [], installed: Set<String> = []
    /// Whether due tasks are being performed, and whether to check for more afterwards.
    var isWorking = false, hasMoreWork = false

    /// Creates a recorder that keeps its notes in a file, by convention the log's path with
    /// `.notes` added.
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

    /// Creates a recorder that keeps its notes in another file system.
    package init(
        ledger: PurchaseLedger, notes file: ReplacedFile, queue: any ObservedQueue,
        settings: RecorderSettings, handler: any PurchaseHandler
    ) throws(RecorderProblem) {
        (self.ledger, self.queue, self.settings, self.handler) = (ledger, queue, settings, handler)
        book = try RecorderBook(ledger, settings, notes: file)
    }

    // MARK: Launching

    /// Records the launch and starts observing the queue.
    ///
    /// Call this method as soon as the app starts (G4.1). Throws ``RecorderProblem`` if the launch
    /// can't be recorded; then the recorder doesn't observe the queue.
    public func launch() throws(RecorderProblem) {
        if let problem = book.unreadableNotes { handler?.receive(problem) }
        try book.perform(.launch)
        dropEndedPayments()
        try book.endLostRestore()
        try recordRestriction()
        queue.beginObserving()
        workOnDueTasks()
    }

    /// Stops observing the queue, which is only needed when the app ends.
    public func endObserving() throws(RecorderProblem) {
        queue.endObserving()
        try book.record(.queueUnobserved)
    }

    /// Forgets the keys of payments that were finished before the app ended.
    private func dropEndedPayments() {
        let finishing = book.notes.finishing
        book.notes.payments = book.notes.payments.filter { payment in
            if let transaction = payment.transaction {
                let phase = ledger.phase(of: transaction)
                return !phase.wasFinished || phase.isInQueue
                    || finishing.contains(.transaction(transaction))
            }
            return ledger.phase(of: payment.key) != .failed || !isFinished(payment.key)
        }
    }

    /// Whether each recorded failure of a payment is finished; the queue may still list it.
    func isFinished(_ payment: PaymentID<Written>) -> Bool {
        let finish = Command.finish(.payment(payment))
        return ledger.refusals(of: finish, by: settings.session(nil), now: settings.now())
            .contains(.finishedAlready)
    }

    /// Records whether the user may pay, if that changed since the last check (G2.3).
    func recordRestriction() throws(RecorderProblem) {
        let isRestrictedNow = !queue.mayPay
        guard isRestrictedNow != isRestricted else { return }
        try book.record(isRestrictedNow ? .paymentRestricted : .paymentAllowed)
        isRestricted = isRestrictedNow
    }

    /// Runs a closure, and reports its error to the app.
    func reporting(_ body: () throws(RecorderProblem) -> Void) {
        do throws(RecorderProblem) {
            try body()
        } catch {
            handler?.receive(error)
        }
    }
}
