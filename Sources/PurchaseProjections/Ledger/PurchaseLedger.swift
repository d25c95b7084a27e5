import PurchaseEvents

/// What an app holds: a log of its purchases, what is known by it, and what may be done next.
///
/// What the App Store says is recorded as it comes; what the app does is performed, and refused
/// where it would break a rule. To decide and to append are one step, so of many tasks that would
/// deliver one consumable a single one does (G3.2). What is known is folded from the bytes that
/// were written, so it is the same after any crash.
///
/// It may be used from many tasks and threads at once. Recording and performing block their thread
/// until the log is as safe as ``Durability`` says. An open ledger keeps no text of what it holds:
/// an `id` costs 24 bytes and a purchase some hundreds, fewer when it is a finished consumable.
/// Only the fold that answers ``pending(account:asOf:)`` and ``entitlements(account:asOf:)`` keeps
/// names, from the first such question on.
public final class PurchaseLedger: Sendable {
    /// What was found when the log was opened: see there whether every line was understood.
    public let openingReport: OpeningReport
    let log: EventLog
    private let core: Protected<FoldedState>
    let kept = Protected(KeptFold())

    /// A ledger over a log that was folded while it was opened.
    private init(over log: EventLog, knowing state: FoldedState) {
        self.log = log
        openingReport = log.openingReport
        core = Protected(state)
    }

    /// Opens a log by what opens it, and folds it meanwhile.
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

    /// Creates a log, and a ledger over it.
    ///
    /// Throws what ``EventLog/create(at:app:writer:recordedAt:durability:layout:chained:)`` throws.
    public static func create(
        at path: String, app: String? = nil, writer: String? = nil, now: Timestamp,
        durability: Durability = .disk, layout: LogLayout = .file, chained: Bool = true
    ) throws(EventLogError) -> PurchaseLedger {
        let log = try EventLog.create(
            at: path, app: app, writer: writer, recordedAt: now, durability: durability,
            layout: layout, chained: chained)
        return PurchaseLedger(over: log, knowing: FoldedState())
    }

    /// Opens a log, and a ledger over it; the log is read once, in constant memory but for what is
    /// kept.
    ///
    /// Lines of types that aren't known don't hinder: what they said isn't known, and
    /// ``openingReport`` has them. Of a damaged log all that can be read is known, and nothing is
    /// recorded (``OpeningReport/damage``). Throws what
    /// ``EventLog/open(at:durability:tornTail:segmentSize:)`` throws, of a torn tail
    /// ``EventLogError/tornTail(path:_:)`` unless it is to be cut.
    public static func open(
        at path: String, durability: Durability = .disk, tornTail: TornTailPolicy = .refuse
    ) throws(EventLogError) -> PurchaseLedger {
        try PurchaseLedger { visit throws(EventLogError) in
            try EventLog.open(
                at: path, durability: durability, tornTail: tornTail, visit: visit)
        }
    }

    /// Opens a log, or creates it where there is none yet: what an app does at each launch.
    ///
    /// A torn tail is cut off, unless another policy is given. Throws what
    /// ``open(at:durability:tornTail:)`` and
    /// ``create(at:app:writer:now:durability:layout:chained:)`` throw, but for a log that isn't
    /// there.
    public static func openOrCreate(
        at path: String, app: String? = nil, writer: String? = nil, now: Timestamp,
        durability: Durability = .disk, layout: LogLayout = .file, chained: Bool = true,
        tornTail: TornTailPolicy? = nil
    ) throws(EventLogError) -> PurchaseLedger {
        do throws(EventLogError) {
            return try open(
                at: path, durability: durability, tornTail: tornTail ?? .cut(recordedAt: now))
        } catch {
            // A folder without segments is what a crash in the midst of creating leaves.
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

    /// Closes the log and gives its lock back; what comes later is refused.
    ///
    /// A ledger that isn't held any more closes by itself.
    public func close() {
        log.close()
        forgetNames()
    }

    // MARK: Recording and performing

    /// Records what the App Store, a server or a person says, as it comes.
    ///
    /// With an `id` it is recorded once: the same again adds nothing and is answered with the line
    /// that is there. Throws ``LedgerError``: of refusals only ``Refusal/isACommand``,
    /// ``Refusal/untrustedSource`` (G7.2) and ``Refusal/notObserved`` (G4.1).
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

    /// Records several statements with one write, such as all that a notification says; all or,
    /// where one is refused, none.
    ///
    /// Each is admitted by what the ones before it say: nothing is taken from a notification with a
    /// wrong secret (G7.2). Throws as ``record(_:id:source:signedAt:by:now:)`` does.
    @discardableResult
    public func record(_ drafts: [Draft]) throws(LedgerError) -> [Appended] {
        try core.withLock { (core) throws(LedgerError) in
            if let known = try self.known(drafts) { return known }
            let refusal = try logged { () throws(EventLogError) in
                try core.refusal(of: drafts)
            }
            if let refusal { throw .refused(refusal) }
            return try append(drafts, &core)
        }
    }

    /// Does what the app wants done, where no rule speaks against it: appends its facts, and knows
    /// them from there on.
    ///
    /// With an `id` it is done once: the same again, also after a crash, adds nothing and is
    /// answered with the lines that are there. Of a command with several facts, each has the `id`
    /// with `#1`, `#2`, … appended. Throws ``LedgerError/refused(_:)`` with the first ``Refusal``
    /// that applies, or ``LedgerError/log(_:)``.
    ///
    /// What the app does beside the log (coins in its own books, files in their place) comes
    /// before, keyed by the transaction so that doing it again does nothing: a crash between the
    /// two then costs nobody anything. Where ``entitlements(account:asOf:)`` says what the user
    /// has, to perform it is all.
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

    /// Everything that speaks against a command now, in order of precedence; empty where
    /// ``perform(_:id:by:now:)`` would do it.
    ///
    /// Another task may act in between: it is for what a user is shown, not for what is done.
    public func refusals(
        of command: Command, by session: Session = Session(), now: Timestamp
    ) -> [Refusal] {
        core.withLock { $0.refusals(of: command, by: session, now: now) }
    }

    /// Where a transaction stands.
    public func phase(of transaction: TransactionID<Written>) -> TransactionPhase {
        core.withLock { $0.phase(of: transaction) }
    }

    /// Where a payment object stands.
    public func phase(of payment: PaymentID<Written>) -> PaymentPhase {
        core.withLock { $0.phase(of: payment) }
    }

    /// All that is known, for whoever explores what may come of it.
    package var state: PurchaseState<Fingerprinted> { core.withLock { $0.state } }

    /// What the log answers where it has all of the drafts; `nil` where any is new.
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

    /// Says of an error of the log that it is the log's.
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
