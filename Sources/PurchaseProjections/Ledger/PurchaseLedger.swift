import PurchaseEvents

/// An app's purchase ledger: the log of its purchases, the state folded from the log, and the
/// actions allowed next.
///
/// `record` stores what the App Store says as it arrives; `perform` stores what the app does and
/// refuses an action that would break a rule. Deciding and appending are one atomic step, so of
/// many tasks that would deliver the same consumable, only one does (G3.2). The state is folded
/// from the written bytes, so it is the same after a crash.
///
/// Safe to use from many tasks and threads. Recording and performing return once the log is as safe
/// as `Durability` says. The blocking forms block their thread until then; the `async` forms
/// suspend their task and block no thread of the task pool, so a server calls only these.
/// Concurrent calls share one write and one sync: each is decided on top of the ones before it, and
/// all are answered once all are safe. If the write or the sync fails, they all fail, the state
/// goes back to what the log has, and the log is read again for that. An open ledger keeps no
/// texts: an `id` costs 24 bytes, a purchase a few hundred bytes, a finished consumable less. Only
/// the fold that answers ``pending(account:asOf:)`` and ``entitlements(account:asOf:)`` keeps
/// names, starting with the first of these questions.
public final class PurchaseLedger: Sendable {
    /// The report on opening the log, including lines that were not understood.
    public let openingReport: OpeningReport
    let log: EventLog
    /// The fold that answers questions; `nil` before the first one and after ``forgetNames()``.
    let kept = Protected<LedgerFold?>(nil)

    /// Creates a ledger over a log that was folded while it was opened.
    private init(over log: EventLog, knowing state: FoldedState) {
        self.log = log
        openingReport = log.openingReport
        log.decide(with: state)
    }

    /// Creates a ledger over a log that a closure opens and folds.
    package convenience init(
        opening open: () throws(EventLogError) -> (log: EventLog, state: FoldedState)
    ) throws(EventLogError) {
        let opened = try open()
        self.init(over: opened.log, knowing: opened.state)
    }

    // MARK: Opening

    /// Creates a log and a ledger over it.
    ///
    /// Throws what `EventLog.create(at:app:writer:recordedAt:durability:layout:chained:)` throws.
    public static func create(
        at path: String, app: String? = nil, writer: String? = nil, now: Timestamp,
        durability: Durability = .disk, layout: LogLayout = .file, chained: Bool = true
    ) throws(EventLogError) -> PurchaseLedger {
        let log = try EventLog.create(
            at: path, app: app, writer: writer, recordedAt: now, durability: durability,
            layout: layout, chained: chained)
        return PurchaseLedger(over: log, knowing: FoldedState())
    }

    /// Opens a log and a ledger over it.
    ///
    /// Reads the log once; memory depends only on the folded state.
    ///
    /// Lines of unknown types are accepted, but their content is unknown; ``openingReport`` lists
    /// them. A damaged log is folded as far as it can be read, and accepts no records
    /// (`OpeningReport.damage`). Throws what
    /// `EventLog.open(at:durability:tornTail:segmentSize:snapshot:snapshotInterval:)` throws,
    /// including `EventLogError.tornTail(path:_:)` unless the policy cuts a torn tail.
    ///
    /// - Parameters:
    ///   - path: The path of the log.
    ///   - durability: What recording and performing promise when they return.
    ///   - tornTail: What to do with a torn tail.
    ///   - snapshot: The path of a file from which the ledger opens at once: only the lines after
    ///     it are read. It is written when the ledger closes and every `snapshotInterval` lines,
    ///     and is never needed: without it, or with one that doesn't fit the log, the whole log is
    ///     read.
    ///   - snapshotInterval: The number of lines after which the snapshot is written again, behind
    ///     the appends.
    public static func open(
        at path: String, durability: Durability = .disk, tornTail: TornTailPolicy = .refuse,
        snapshot: String? = nil,
        snapshotInterval: Int64 = LogLayout.defaultSnapshotInterval
    ) throws(EventLogError) -> PurchaseLedger {
        try PurchaseLedger { () throws(EventLogError) in
            try EventLog.openFolding(
                at: path, durability: durability, tornTail: tornTail, snapshot: snapshot,
                snapshotInterval: snapshotInterval)
        }
    }

    /// Opens a log, or creates it if it does not exist: the call for an app's launch.
    ///
    /// Cuts off a torn tail, unless given another policy. Throws what
    /// ``open(at:durability:tornTail:snapshot:snapshotInterval:)`` and
    /// ``create(at:app:writer:now:durability:layout:chained:)`` throw, except for a missing log.
    public static func openOrCreate(
        at path: String, app: String? = nil, writer: String? = nil, now: Timestamp,
        durability: Durability = .disk, layout: LogLayout = .file, chained: Bool = true,
        tornTail: TornTailPolicy? = nil, snapshot: String? = nil
    ) throws(EventLogError) -> PurchaseLedger {
        do throws(EventLogError) {
            return try open(
                at: path, durability: durability, tornTail: tornTail ?? .cut(recordedAt: now),
                snapshot: snapshot)
        } catch {
            // A crash during creation leaves a folder without segments.
            switch error {
            case .noSuchLog, .empty: break
            case .notARegularFile(_, seen: .folder) where layout != .file: break
            default: throw error
            }
        }
        return try create(
            at: path, app: app, writer: writer, now: now, durability: durability, layout: layout,
            chained: chained)
    }

    /// Closes the log and releases its lock; later calls are refused.
    ///
    /// A ledger closes when its last reference goes away.
    public func close() {
        log.close()
        forgetNames()
    }

    // MARK: Recording and performing

    /// Records a statement of the App Store, a server or a person.
    ///
    /// A fact with an `id` is recorded once: repeating it adds nothing and returns the existing
    /// line. Throws ``LedgerError``; the only refusals are `Refusal.isACommand`,
    /// `Refusal.untrustedSource` (G7.2) and `Refusal.notObserved` (G4.1).
    @discardableResult
    public func record(
        _ fact: Fact<Written>, id: String? = nil, source: NotificationID<Written>? = nil,
        signedAt: Timestamp? = nil, by session: Session = Session(), now: Timestamp
    ) throws(LedgerError) -> Appended {
        try PurchaseLedger.only(
            record([
                PurchaseLedger.draft(
                    fact, id: id, source: source, signedAt: signedAt, by: session, now: now)
            ]))
    }

    /// Records like the blocking `record(_:id:source:signedAt:by:now:)`, and suspends the task
    /// instead of blocking its thread.
    ///
    /// Cancelling the task changes nothing: what was asked is recorded and answered.
    @discardableResult
    public func record(
        _ fact: Fact<Written>, id: String? = nil, source: NotificationID<Written>? = nil,
        signedAt: Timestamp? = nil, by session: Session = Session(), now: Timestamp
    ) async throws(LedgerError) -> Appended {
        try await PurchaseLedger.only(
            record([
                PurchaseLedger.draft(
                    fact, id: id, source: source, signedAt: signedAt, by: session, now: now)
            ]))
    }

    /// Records several statements with one write, such as the contents of one notification: all of
    /// them or, if one is refused, none.
    ///
    /// An account in the form of a UUID is written in lower case, because StoreKit gives the same
    /// token in both. Each statement is checked against the ones before it; for example, nothing is
    /// accepted from a notification with a wrong secret (G7.2). Throws like
    /// `record(_:id:source:signedAt:by:now:)`.
    @discardableResult
    public func record(_ drafts: [Draft]) throws(LedgerError) -> [Appended] {
        try log.append(drafts.map(\.inLowerCase), if: .statements).mapError(LedgerError.init).get()
    }

    /// Records like the blocking `record(_:)`, and suspends the task instead of blocking its
    /// thread; cancelling the task changes nothing.
    @discardableResult
    public func record(_ drafts: [Draft]) async throws(LedgerError) -> [Appended] {
        try await log.append(drafts.map(\.inLowerCase), if: .statements).mapError(LedgerError.init)
            .get()
    }

    /// Performs a command of the app, unless a rule forbids the command: appends the command's
    /// facts and updates the state.
    ///
    /// A command with an `id` is performed once: repeating it, even after a crash, adds nothing and
    /// returns the existing lines. If a command has several facts, their ids are the `id` followed
    /// by `#1`, `#2`, …. Throws ``LedgerError/refused(_:)`` with the first `Refusal` that
    /// applies, or ``LedgerError/log(_:)``.
    ///
    /// Do any work outside the log (credit coins, move files) before this call, and key the work by
    /// the transaction so that repeating it changes nothing: then a crash between the two does no
    /// harm. If ``entitlements(account:asOf:)`` decides what the user has, this call is enough.
    @discardableResult
    public func perform(
        _ command: Command, id: String? = nil, by session: Session = Session(), now: Timestamp
    ) throws(LedgerError) -> [Appended] {
        try log.append(
            PurchaseLedger.drafts(of: command, id: id, by: session, now: now),
            if: .command(command, by: session, now: now)
        ).mapError(LedgerError.init).get()
    }

    /// Performs like the blocking `perform(_:id:by:now:)`, and suspends the task instead of
    /// blocking its thread.
    ///
    /// Cancelling the task changes nothing: what was asked is decided, performed and answered.
    @discardableResult
    public func perform(
        _ command: Command, id: String? = nil, by session: Session = Session(), now: Timestamp
    ) async throws(LedgerError) -> [Appended] {
        try await log.append(
            PurchaseLedger.drafts(of: command, id: id, by: session, now: now),
            if: .command(command, by: session, now: now)
        ).mapError(LedgerError.init).get()
    }

    /// All refusals of a command at this moment, in order of precedence; empty if
    /// `perform(_:id:by:now:)` would perform it.
    ///
    /// Use this only for display: another task may act before you perform the command. This call
    /// and `phase(of:)` know what is durable and nothing else; they wait for a sync in progress.
    public func refusals(
        of command: Command, by session: Session = Session(), now: Timestamp
    ) -> [Refusal] {
        log.asking { $0.refusals(of: command, by: session, now: now) }
    }

    /// The phase of a transaction.
    public func phase(of transaction: TransactionID<Written>) -> TransactionPhase {
        log.asking { $0.phase(of: transaction) }
    }

    /// The phase of a payment object.
    public func phase(of payment: PaymentID<Written>) -> PaymentPhase {
        log.asking { $0.phase(of: payment) }
    }

    /// The state of a transaction, or `nil` if no event named it.
    package func transaction(
        _ transaction: TransactionID<Written>
    ) -> TransactionState<Fingerprinted>? {
        log.asking { $0.transaction(transaction) }
    }

    /// Whether a transaction is known to be refunded or revoked, by a statement earlier than one of
    /// an environment, made at a time; `nil` means the log's environment.
    package func isRefunded(
        _ transaction: TransactionID<Written>, before time: Timestamp, in environment: Environment?
    ) -> Bool {
        log.asking { $0.isRefunded(transaction, before: time, in: environment) }
    }

    /// The full state, for tools that explore its possible successors.
    package var state: PurchaseState<Fingerprinted> { log.asking(\.state) }

    private static func only(_ answers: [Appended]) -> Appended {
        precondition(answers.count == 1, "each draft has one answer")
        return answers[0]
    }

    private static func draft(
        _ fact: Fact<Written>, id: String?, source: NotificationID<Written>? = nil,
        signedAt: Timestamp? = nil, by session: Session, now: Timestamp
    ) -> Draft {
        Draft(
            at: now, id: id, source: source, account: session.account, device: session.device,
            environment: session.environment, signedAt: signedAt, fact)
    }

    static func drafts(
        of command: Command, id: String?, by session: Session, now: Timestamp
    ) -> [Draft] {
        let facts = command.facts
        return facts.enumerated().map { number, fact in
            draft(
                fact, id: id.map { facts.count > 1 ? "\($0)#\(number + 1)" : $0 },
                by: session, now: now)
        }
    }
}
