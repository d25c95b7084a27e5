import PurchaseEvents

/// An app's purchase ledger: the log of its purchases, the state folded from the log, and the
/// actions allowed next.
///
/// `record` stores what the App Store says as it arrives; `perform` stores what the app does and
/// refuses an action that would break a rule. Deciding and appending are one atomic step, so of
/// many tasks that would deliver the same consumable, only one does (G3.2). The state is folded
/// from the written bytes, so it is the same after a crash.
///
/// Safe to use from many tasks and threads. Recording and performing block their thread until the
/// log is as safe as `Durability` says. An open ledger keeps no texts: an `id` costs 24 bytes, a
/// purchase a few hundred bytes, a finished consumable less. Only the fold that answers
/// ``pending(account:asOf:)`` and ``entitlements(account:asOf:)`` keeps names, starting with the
/// first of these questions.
public final class PurchaseLedger: Sendable {
    /// The report on opening the log, including lines that were not understood.
    public let openingReport: OpeningReport
    let log: EventLog
    private let core: Protected<FoldedState>
    let kept = Protected(KeptFold())

    /// Creates a ledger over a log that was folded while it was opened.
    private init(over log: EventLog, knowing state: FoldedState) {
        self.log = log
        openingReport = log.openingReport
        core = Protected(state)
    }

    /// Opens a log with `open`, and folds the lines that it visits.
    package convenience init(
        folding open: (
            _ visit: @escaping (DecodedLine<Fingerprinted>) -> Void
        ) throws(EventLogError) -> EventLog
    ) throws(EventLogError) {
        var state = FoldedState()
        let log = try open { state.take($0) }
        self.init(over: log, knowing: state)
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
    /// `EventLog.open(at:durability:tornTail:segmentSize:)` throws, including
    /// `EventLogError.tornTail(path:_:)` unless the policy cuts a torn tail.
    public static func open(
        at path: String, durability: Durability = .disk, tornTail: TornTailPolicy = .refuse
    ) throws(EventLogError) -> PurchaseLedger {
        try PurchaseLedger { visit throws(EventLogError) in
            try EventLog.open(
                at: path, durability: durability, tornTail: tornTail, visit: visit)
        }
    }

    /// Opens a log, or creates it if it does not exist: the call for an app's launch.
    ///
    /// Cuts off a torn tail, unless given another policy. Throws what
    /// ``open(at:durability:tornTail:)`` and
    /// ``create(at:app:writer:now:durability:layout:chained:)`` throw, except for a missing log.
    public static func openOrCreate(
        at path: String, app: String? = nil, writer: String? = nil, now: Timestamp,
        durability: Durability = .disk, layout: LogLayout = .file, chained: Bool = true,
        tornTail: TornTailPolicy? = nil
    ) throws(EventLogError) -> PurchaseLedger {
        do throws(EventLogError) {
            return try open(
                at: path, durability: durability, tornTail: tornTail ?? .cut(recordedAt: now))
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
        let draft = Draft(
            at: now, id: id, source: source, account: session.account, device: session.device,
            environment: session.environment, signedAt: signedAt, fact)
        let answers = try record([draft])
        precondition(answers.count == 1, "each draft has one answer")
        return answers[0]
    }

    /// Records several statements with one write, such as the contents of one notification: all of
    /// them or, if one is refused, none.
    ///
    /// An account in the form of a UUID is written in lower case, because StoreKit gives the same
    /// token in both. Each statement is checked against the ones before it; for example, nothing is
    /// accepted from a notification with a wrong secret (G7.2). Throws like
    /// ``record(_:id:source:signedAt:by:now:)``.
    @discardableResult
    public func record(_ drafts: [Draft]) throws(LedgerError) -> [Appended] {
        let drafts = drafts.map(\.inLowerCase)
        return try core.withLock { (core) throws(LedgerError) in
            if let known = try self.known(drafts) { return known }
            let refusal = try logged { () throws(EventLogError) in
                try core.refusal(of: drafts)
            }
            if let refusal { throw .refused(refusal) }
            return try append(drafts, &core)
        }
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
        let facts = command.facts
        let drafts = facts.enumerated().map { number, fact in
            Draft(
                at: now, id: id.map { facts.count > 1 ? "\($0)#\(number + 1)" : $0 },
                account: session.account, device: session.device,
                environment: session.environment, fact)
        }
        return try core.withLock { (core) throws(LedgerError) in
            if let known = try self.known(drafts) { return known }
            let refusals = core.refusals(of: command, by: session, now: now)
            if let refusal = refusals.first { throw .refused(refusal) }
            return try append(drafts, &core)
        }
    }

    /// All refusals of a command at this moment, in order of precedence; empty if
    /// ``perform(_:id:by:now:)`` would perform it.
    ///
    /// Use this only for display: another task may act before you perform the command.
    public func refusals(
        of command: Command, by session: Session = Session(), now: Timestamp
    ) -> [Refusal] {
        core.withLock { $0.refusals(of: command, by: session, now: now) }
    }

    /// The phase of a transaction.
    public func phase(of transaction: TransactionID<Written>) -> TransactionPhase {
        core.withLock { $0.phase(of: transaction) }
    }

    /// The phase of a payment object.
    public func phase(of payment: PaymentID<Written>) -> PaymentPhase {
        core.withLock { $0.phase(of: payment) }
    }

    /// The state of a transaction, or `nil` if no event named it.
    package func transaction(
        _ transaction: TransactionID<Written>
    ) -> TransactionState<Fingerprinted>? {
        core.withLock { $0.transaction(transaction) }
    }

    /// The full state, for tools that explore its possible successors.
    package var state: PurchaseState<Fingerprinted> { core.withLock { $0.state } }

    /// The log's answers if it has all of the drafts; `nil` if any is new.
    private func known(_ drafts: [Draft]) throws(LedgerError) -> [Appended]? {
        guard drafts.allSatisfy({ $0.id != nil }) else { return nil }
        return try logged { () throws(EventLogError) in try log.known(drafts) }
    }

    private func append(
        _ drafts: [Draft], _ core: inout FoldedState
    ) throws(LedgerError) -> [Appended] {
        let answers = try logged { () throws(EventLogError) in try log.append(drafts) }
        for answer in answers where answer.outcome == .appended { core.take(answer.line) }
        return answers
    }

    /// Wraps an error of the log in ``LedgerError/log(_:)``.
    private func logged<Answer>(
        _ body: () throws(EventLogError) -> Answer
    ) throws(LedgerError) -> Answer {
        do throws(EventLogError) {
            return try body()
        } catch {
            throw .log(error)
        }
    }
}
