import PurchaseEvents
import PurchaseProjections

/// Picks the lines of a story from a log, with what each of them changed.
///
/// It is given the whole log, in order, after the scope is known from a first reading.
struct StoryTeller {
    private let scope: StoryScope
    private let keys: Set<ExactName>
    /// What is followed from the beginning of the log.
    private let followed: StoryNames
    /// What the lines of the story name: where not all of it is followed, phases may be told
    /// wrongly.
    private(set) var named = StoryNames()
    /// The findings of the log by their line.
    private let findings: [LineNumber: [Finding]]
    /// Leaves out lines that name another account.
    private let account: AccountID<Interned>?
    private let names: NameTable
    private let decoder = LineDecoder()
    private var state = PurchaseState<Interned>()
    /// What was heard of a device since its latest line in the story.
    private var heard: [DeviceID<Interned>?: [StoryLine]] = [:]
    private var told: [StoryLine] = []

    /// A teller at the beginning of a log whose names are in a table.
    init(
        _ scope: StoryScope, following followed: StoryNames, names: NameTable,
        findings: [Finding], account: AccountID<Interned>?
    ) {
        self.scope = scope
        self.followed = followed
        self.names = names
        self.account = account
        keys = scope.keys
        self.findings = Dictionary(grouping: findings, by: \.line)
    }

    /// Takes in a line of the log.
    mutating func observe(_ read: ReadLine) {
        guard let event = read.event else { return }
        let isTold = scope.tells(event) || isFound(read.number)
        let isContext = StoryTeller.context.contains(event.type)
        let isEvolved = StoryTeller.always.contains(event.type) || followed.concern(event)
        guard isTold || isContext || isEvolved else { return }
        // Another period of the line, which may bring the line somewhere else.
        let isOfLine =
            !isTold && (event.fact.original.map { scope.originals.contains($0) } ?? false)
        let finished = state.purchase(finishedBy: event)
        let before = phases(of: event, finishing: finished)
        var line = isTold || isContext || isOfLine ? storyLine(read, event) : nil
        line?.isForbidden = state.forbids(event)
        if isEvolved || scope.tells(event) { state.evolve(event) }
        if let account, let other = event.account, other != account { return }
        guard var line else { return }
        guard isTold || isOfLine else { return keep(line, event) }
        if isTold {
            named.insert(event, finishing: finished)
            tellContext(before: event)
        }
        let after = phases(of: event, finishing: finished)
        line.changes = zip(before, after).compactMap { before, after in
            before.phase == after.phase
                ? nil
                : PhaseChange(
                    subject: before.subject, key: before.key, before: before.phase,
                    after: after.phase)
        }
        if isOfLine {
            line.changes.removeAll { $0.subject != "subscription" }
            if line.changes.isEmpty { return }
        }
        told.append(line)
    }

    /// The story, in the order of the log, placed in the files that it lies in.
    func lines(_ places: LinePlaces) -> [StoryLine] {
        told.sorted { $0.number < $1.number }.map { line in
            var line = line
            (line.path, line.line) = places.place(of: line.number)
            let found = findings[LineNumber(line.number)] ?? []
            // Of a line that is told for what came after it, only what is found of this purchase.
            line.findings = found.filter { finding in
                !line.isContext || finding.key.map { keys.contains($0.exact) } ?? false
            }.map { Remark($0, places) }
            return line
        }
    }

    private func storyLine(_ read: ReadLine, _ event: Event<Interned>) -> StoryLine {
        var line = StoryLine(
            number: read.number, path: "", line: read.number, seq: event.seq, at: event.at,
            type: event.type, words: event.type.wireName)
        line.isContext = !scope.tells(event)
        line.account = event.account.map { names.text(of: $0) }
        line.device = event.device.map { names.text(of: $0) }
        line.transaction = event.fact.transaction.map { names.text(of: $0) }
        line.payment = event.fact.payment.map { names.text(of: $0) }
        line.original = event.fact.original.map { names.text(of: $0) }
        line.source = event.source.map { names.text(of: $0) }
        line.environment = event.environment ?? state.environment
        if case .event(let written) = decoder.decodeWritten(read.bytes) {
            let phase = event.fact.transaction.map { state.phase(of: $0) } ?? .unseen
            line.words = EventWords.words(
                written, isAgain: phase.isInQueue || phase.wasFinished)
        }
        if scope.isOfTestsOnly(event), let words = EventWords.ofTests(event) { line.words = words }
        if !read.notes.isEmpty {
            line.unknown = UnknownKeys.members(read.notes, in: read.bytes)
        }
        return line
    }

    /// Whether something is found at a line that one of the story's names is at fault in.
    private func isFound(_ number: Int) -> Bool {
        findings[LineNumber(number)]?.contains { finding in
            finding.key.map { keys.contains($0.exact) } ?? false
        } ?? false
    }

    // MARK: Context

    /// Events that say what holds for all that follow.
    private static let always = EventTypes(.logOpened, .appLaunched)

    /// Events of a device that help to understand what follows on it.
    private static let context = EventTypes(.appLaunched, .restoreRequested)

    /// Events that happen on a device, not at a server.
    private static let onDevice = EventTypes(
        .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .queueFinished, .queueRemoved, .deliveryValidated, .deliveryPersisted,
        .deliveryDownload, .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn)

    private mutating func keep(_ line: StoryLine, _ event: Event<Interned>) {
        // A launch begins anew.
        if event.type == .appLaunched { heard[event.device] = [] }
        heard[event.device, default: []].append(line)
    }

    /// Tells the launch of a device, and the restore that was asked for on it, before the first
    /// line that comes after them.
    private mutating func tellContext(before event: Event<Interned>) {
        guard StoryTeller.onDevice.contains(event.type), let kept = heard[event.device] else {
            return
        }
        let isRestored = event.type == .queueRestored
        told += kept.filter { $0.type == .appLaunched || isRestored }
        heard[event.device] = isRestored ? nil : kept.filter { $0.type != .appLaunched }
    }

    // MARK: Phases

    /// Where everything that the story is about stands at the end, by what it is and its name.
    var endings: [PhaseChange] {
        var endings: [Standing] = []
        endings += scope.payments.map {
            ("payment", names.text(of: $0), .init(state.phase(of: $0)))
        }
        endings += scope.transactions.map {
            ("transaction", names.text(of: $0), .init(state.phase(of: $0)))
        }
        endings += scope.originals.map {
            ("subscription", names.text(of: $0), .init(state.linePhase(of: $0)))
        }
        return endings.filter { $0.phase.name != PaymentPhase.unseen.rawValue }
            .sorted { ($0.subject, $0.key) < ($1.subject, $1.key) }
            .map {
                PhaseChange(subject: $0.subject, key: $0.key, before: $0.phase, after: $0.phase)
            }
    }

    private typealias Standing = (subject: String, key: String, phase: PhaseChange.Phase)

    /// Where the payment, the transaction and the line of an event stand; the transaction is also
    /// one that a finish of its payment finishes.
    private func phases(
        of event: Event<Interned>, finishing finished: TransactionID<Interned>?
    ) -> [Standing] {
        var phases: [Standing] = []
        if let payment = event.fact.payment {
            phases.append(
                ("payment", names.text(of: payment), .init(state.phase(of: payment))))
        }
        if let transaction = event.fact.transaction ?? finished {
            phases.append(
                ("transaction", names.text(of: transaction), .init(state.phase(of: transaction))))
        }
        if let original = event.fact.original ?? event.fact.transaction {
            phases.append(
                ("subscription", names.text(of: original), .init(state.linePhase(of: original))))
        }
        return phases
    }
}
