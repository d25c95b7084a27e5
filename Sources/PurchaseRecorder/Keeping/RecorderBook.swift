import PurchaseEvents
import PurchaseProjections

/// The ledger and the notes that a recorder writes to.
struct RecorderBook {
    let ledger: PurchaseLedger
    let settings: RecorderSettings
    var notes: RecorderNotes
    /// The price of one unit of each product listed since the launch.
    var prices: [String: Money] = [:]
    /// The latest time of an event since the launch.
    private var latest: Timestamp?

    init(
        _ ledger: PurchaseLedger, _ settings: RecorderSettings, notes file: ReplacedFile
    ) throws(RecorderProblem) {
        (self.ledger, self.settings) = (ledger, settings)
        notes = try RecorderNotes(in: file)
    }

    /// The instant to ask about: now, or `nil` (the latest event's time) if the clock is behind it.
    ///
    /// An instant before the latest event would tell what was due in the past.
    var instant: Timestamp? {
        let now = settings.now()
        return latest.map { now >= $0 } ?? true ? now : nil
    }

    /// Records a fact that the app doesn't decide, such as a statement of the store.
    mutating func record(
        _ fact: Fact<Written>, id: String? = nil, _ session: Session? = nil
    ) throws(RecorderProblem) {
        try write { [ledger, settings] (now) throws(LedgerError) in
            try ledger.record(fact, id: id, by: session ?? settings.session(nil), now: now)
        }
    }

    /// Records several facts in one write.
    mutating func record(_ drafts: [Draft]) throws(RecorderProblem) {
        try write { [ledger] (_) throws(LedgerError) in try ledger.record(drafts) }
    }

    /// Records what the app does; throws if the ledger refuses it for a reason that isn't ignored.
    mutating func perform(
        _ command: Command, id: String? = nil, _ session: Session? = nil,
        ignoring ignored: [Refusal] = []
    ) throws(RecorderProblem) {
        do throws(RecorderProblem) {
            try write { [ledger, settings] (now) throws(LedgerError) in
                try ledger.perform(command, id: id, by: session ?? settings.session(nil), now: now)
            }
        } catch .ledger(.refused(let refusal)) where ignored.contains(refusal) {}
    }

    private mutating func write<Result>(
        _ body: (Timestamp) throws(LedgerError) -> Result
    ) throws(RecorderProblem) {
        let now = settings.now()
        _ = try attempt(try body(now), else: RecorderProblem.ledger)
        latest = max(latest ?? now, now)
    }

    /// Throws the first reason why the ledger would refuse a command.
    func check(_ command: Command, _ session: Session) throws(RecorderProblem) {
        let refusals = ledger.refusals(of: command, by: session, now: settings.now())
        if let refusal = refusals.first { throw .ledger(.refused(refusal)) }
    }

    // MARK: Asking the ledger

    func pending() throws(RecorderProblem) -> [PendingRow] {
        try attempt(try ledger.pending(asOf: instant), else: RecorderProblem.log)
    }

    func entitlements() throws(RecorderProblem) -> [EntitlementRow] {
        try attempt(try ledger.entitlements(asOf: instant), else: RecorderProblem.log)
    }

    /// The reason why access to a purchase has ended, according to the entitlements.
    ///
    /// Throws if the ledger would refuse the withdrawal.
    func reasonToWithdraw(
        _ transaction: TransactionID<Written>, product: String?, _ session: Session
    ) throws(RecorderProblem) -> WithdrawalReason {
        let rows = try entitlements()
        let row =
            rows.first { $0.transaction == transaction.name }
            ?? rows.first { $0.product == product && $0.account == session.account?.name }
        let reason = row?.ended.flatMap { WithdrawalReason(rawValue: $0) } ?? .refunded
        try check(.withdraw(transaction, because: reason), session)
        return reason
    }

    // MARK: Notes

    /// The problem to tell the app if lines of the notes were unreadable.
    var unreadableNotes: RecorderProblem? {
        guard notes.unreadable > 0 else { return nil }
        return .notRecorded(
            "unreadable lines of the recorder's notes: \(notes.unreadable)", product: nil)
    }

    func saveNotes() throws(RecorderProblem) { try notes.save(now: settings.now()) }

    // MARK: Payments

    /// A payment that the app requests, under a new key.
    func payment(for order: PaymentOrder) -> NotedPayment {
        let price = prices[order.product]?.times(order.quantity)
        let request = PaymentRequested<Written>(
            payment: PaymentID(settings.newKey()), product: ProductID(order.product),
            quantity: order.quantity == 1 ? nil : Int64(order.quantity),
            payer: order.payer.map { PayerID($0) }, price: price?.thousandths,
            currency: price?.currency)
        return NotedPayment(
            request: request, session: settings.session(order.account), isPromoted: false,
            at: settings.now())
    }

    /// Forgets the key of a payment whose entry is finished.
    mutating func dropPayment(of entry: QueueEntry<Written>) {
        notes.payments.removeAll {
            $0.key == entry.payment || $0.transaction != nil && $0.transaction == entry.transaction
        }
    }

    // MARK: Finishing

    /// Notes that an entry is about to be finished; throws if the ledger would refuse the finish.
    mutating func beginFinish(
        _ entry: QueueEntry<Written>, _ session: Session
    ) throws(RecorderProblem) {
        try check(.finish(entry), session)
        notes.finishing.insert(entry)
        try saveNotes()
    }

    /// Records a finish.
    ///
    /// The notes on the disk still list the finish; the next launch finds the finish in the log.
    mutating func endFinish(
        _ entry: QueueEntry<Written>, _ session: Session
    ) throws(RecorderProblem) {
        try perform(.finish(entry), session)
        notes.finishing.remove(entry)
        dropPayment(of: entry)
    }

    /// Records the finishes that a crash interrupted, and forgets the notes of all of them.
    ///
    /// - Parameters:
    ///   - former: The entries that an earlier process was finishing.
    ///   - isFinished: Whether the store no longer presents an entry.
    mutating func settleFinishes(
        of former: Set<QueueEntry<Written>>, _ isFinished: (QueueEntry<Written>) -> Bool
    ) throws(RecorderProblem) {
        for entry in former.intersection(notes.finishing) where isFinished(entry) {
            // The log may have the finish already, if the crash came after the record.
            try perform(.finish(entry), ignoring: Refusal.allCases)
            dropPayment(of: entry)
        }
        notes.finishing.subtract(former)
        try saveNotes()
    }

    // MARK: Delivering

    /// A purchase with the units that are still to be delivered: a refund may have taken a part.
    func undelivered(_ purchase: DuePurchase) -> DuePurchase {
        let known = ledger.transaction(TransactionID(purchase.transaction))
        guard let units = known?.undeliveredQuantity, units > 0 else { return purchase }
        var due = purchase
        due.quantity = units
        return due
    }

    // MARK: Restoring

    /// Notes and records that the user asked for a restore.
    ///
    /// An earlier restore ends here, because StoreKit doesn't say which restore has ended.
    mutating func beginRestore(_ session: Session) throws(RecorderProblem) {
        try endRestore(.restoreFailed(.init(error: "restarted")))
        let name = "restore:\(settings.newKey())"
        notes.restore = (name, session)
        try saveNotes()
        try perform(.restore(by: .user), id: name, session)
    }

    /// Records the end of the noted restore; does nothing if there is none.
    mutating func endRestore(_ end: Fact<Written>) throws(RecorderProblem) {
        guard let restore = notes.restore else { return }
        do throws(RecorderProblem) {
            try record(end, id: "\(restore.name):end", restore.session)
        } catch .ledger(.log(.idConflict)) {
            // A crash came between the end and its note: the log already has an end.
        }
        notes.restore = nil
        try saveNotes()
    }

    /// Ends a restore that was interrupted when the app ended: StoreKit never reports its end
    /// (G4.6).
    mutating func endLostRestore() throws(RecorderProblem) {
        guard let restore = notes.restore else { return }
        try perform(.restore(by: .user), id: restore.name, restore.session)
        try endRestore(.restoreFailed(.init(error: "appEnded")))
    }
}
