import PurchaseEvents
import PurchaseProjections

/// The ledger and the notes that a recorder writes to.
struct RecorderBook {
    let ledger: PurchaseLedger
    let settings: RecorderSettings
    var notes: RecorderNotes
    /// The latest time of an event since the launch.
    private var latest: Timestamp?

    /// Reads the notes from a file.
    init(
        _ ledger: PurchaseLedger, _ settings: RecorderSettings, notes file: ReplacedFile
    ) throws(RecorderProblem) {
        self.ledger = ledger
        self.settings = settings
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

    /// Records what the app does; throws if the ledger refuses it.
    mutating func perform(
        _ command: Command, id: String? = nil, _ session: Session? = nil
    ) throws(RecorderProblem) {
        try write { [ledger, settings] (now) throws(LedgerError) in
            try ledger.perform(command, id: id, by: session ?? settings.session(nil), now: now)
        }
    }

    private mutating func write<Result>(
        _ body: (Timestamp) throws(LedgerError) -> Result
    ) throws(RecorderProblem) {
        let now = settings.now()
        do throws(LedgerError) {
            _ = try body(now)
        } catch {
            throw .ledger(error)
        }
        latest = max(latest ?? now, now)
    }

    /// Throws the first reason why the ledger would refuse a command.
    func check(_ command: Command, _ session: Session) throws(RecorderProblem) {
        let refusals = ledger.refusals(of: command, by: session, now: settings.now())
        if let refusal = refusals.first { throw .ledger(.refused(refusal)) }
    }

    // MARK: Asking the ledger

    /// The tasks that are due.
    func pending() throws(RecorderProblem) -> [PendingRow] {
        try answered { [ledger, instant] () throws(EventLogError) in
            try ledger.pending(asOf: instant)
        }
    }

    /// What each account is entitled to.
    func entitlements() throws(RecorderProblem) -> [EntitlementRow] {
        try answered { [ledger, instant] () throws(EventLogError) in
            try ledger.entitlements(asOf: instant)
        }
    }

    /// The reason why access to a purchase has ended, according to the entitlements.
    func reasonToWithdraw(
        _ transaction: TransactionID<Written>, product: String?, account: String?
    ) throws(RecorderProblem) -> WithdrawalReason {
        let rows = try entitlements()
        let row =
            rows.first { $0.transaction == transaction.name }
            ?? rows.first { $0.product == product && $0.account == account }
        return row?.ended.flatMap { WithdrawalReason(rawValue: $0) } ?? .refunded
    }

    private func answered<Answer>(
        _ body: () throws(EventLogError) -> Answer
    ) throws(RecorderProblem) -> Answer {
        do throws(EventLogError) {
            return try body()
        } catch {
            throw .ledger(.log(error))
        }
    }

    // MARK: Notes

    /// The problem to tell the app if lines of the notes were unreadable.
    var unreadableNotes: RecorderProblem? {
        guard notes.unreadable > 0 else { return nil }
        return .notRecorded(
            "unreadable lines of the recorder's notes: \(notes.unreadable)", product: nil)
    }

    func saveNotes() throws(RecorderProblem) { try notes.save(now: settings.now()) }

    // MARK: Restoring

    /// Notes and records that the user asked for a restore.
    mutating func beginRestore(_ session: Session) throws(RecorderProblem) {
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
        } catch {
            throw error
        }
        notes.restore = nil
        try saveNotes()
    }

    /// Ends a restore that was interrupted when the app ended: StoreKit never reports its end
    /// (G4.6).
    mutating func endLostRestore() throws(RecorderProblem) {
        guard let restore = notes.restore else { return }
        try perform(.restore(by: .user), id: restore.name, restore.session)
        try endRestore(.restoreFailed(RestoreFailed(error: "appEnded")))
    }
}
