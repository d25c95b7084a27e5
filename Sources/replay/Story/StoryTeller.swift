import PurchaseEvents
import PurchaseProjections

/// Selects the lines of a story from a log, which it reads whole and in order, with the phases that
/// each line changed; an earlier pass provides the scope.
struct StoryTeller {
    private let scope: StoryScope
    private let keys: Set<ExactName>
    /// The names whose phases are followed from the beginning of the log.
    private let followed: StoryNames
    /// The names in the lines of the story; if one of them isn't followed, phases may be wrong.
    private(set) var named = StoryNames()
    private let findings: [LineNumber: [Finding]]
    private let account: AccountHandle?
    private let names: NameTable
    private let decoder = LineDecoder()
    private var state = PurchaseState<Interned>()
    /// The context lines of each device that aren't in the story yet.
    private var contextByDevice: [DeviceHandle?: [StoryLine]] = [:]
    private var selected: [StoryLine] = []

    init(
        _ scope: StoryScope, following followed: StoryNames, names: NameTable,
        findings: [Finding], account: AccountHandle?
    ) {
        (self.scope, self.followed, self.names, self.account) = (scope, followed, names, account)
        keys = scope.keys
        self.findings = Dictionary(grouping: findings, by: \.line)
    }

    mutating func observe(_ read: ReadLine) {
        guard let event = read.event else { return }
        let isIncluded = scope.includes(event) || hasFinding(at: read.number)
        let isContext = StoryTeller.contextTypes.contains(event.type)
        let isEvolved =
            StoryTeller.followedTypes.contains(event.type) || followed.mayChange(by: event)
        guard isIncluded || isContext || isEvolved else { return }
        // Another period of the subscription may change the subscription's phase.
        let isOtherPeriod =
            !isIncluded && (event.fact.original.map { scope.originals.contains($0) } ?? false)
        let finished = state.purchase(finishedBy: event)
        let before = phases(of: event, finishing: finished)
        var line = isIncluded || isContext || isOtherPeriod ? storyLine(read, event) : nil
        line?.isForbidden = state.forbids(event)
        if isEvolved || scope.includes(event) { state.evolve(event) }
        if let account, let other = event.account, other != account { return }
        guard var line else { return }
        guard isIncluded || isOtherPeriod else { return keepContext(line, event) }
        if isIncluded {
            named.insert(event, finishing: finished)
            addContext(before: event)
        }
        let after = phases(of: event, finishing: finished)
        line.changes = zip(before, after).compactMap { before, after in
            before.phase == after.phase
                ? nil
                : PhaseChange(
                    subject: before.subject, key: before.key, before: before.phase,
                    after: after.phase)
        }
        if isOtherPeriod {
            line.changes.removeAll { $0.subject != "subscription" }
            if line.changes.isEmpty { return }
        }
        selected.append(line)
    }

    /// The lines of the story in the order of the log, placed in the files of the log.
    func lines(_ places: LinePlaces) -> [StoryLine] {
        selected.sorted { $0.number < $1.number }.map { line in
            var line = line
            (line.path, line.line) = places.place(of: line.number)
            let found = findings[LineNumber(line.number)] ?? []
            // On a context line, only the findings about this purchase count.
            line.findings = found.filter { finding in
                !line.isContext || finding.key.map { keys.contains($0.exact) } ?? false
            }.map { Remark($0, places) }
            return line
        }
    }

    private func storyLine(_ read: ReadLine, _ event: LogEvent) -> StoryLine {
        var line = StoryLine(
            number: read.number, path: "", line: read.number, seq: event.seq, at: event.at,
            type: event.type, words: event.type.wireName)
        line.isContext = !scope.includes(event)
        line.account = event.account.map { names.text(of: $0) }
        line.device = event.device.map { names.text(of: $0) }
        line.transaction = event.fact.transaction.map { names.text(of: $0) }
        line.payment = event.fact.payment.map { names.text(of: $0) }
        line.original = event.fact.original.map { names.text(of: $0) }
        line.source = event.source.map { names.text(of: $0) }
        line.environment = event.environment ?? state.environment
        if case .event(let written) = decoder.decodeWritten(read.bytes) {
            let phase = event.fact.transaction.map { state.phase(of: $0) } ?? .unseen
            line.words = EventWords.words(written, isAgain: phase.isInQueue || phase.wasFinished)
        }
        if scope.isOfTestsOnly(event), let words = EventWords.ofTests(event) { line.words = words }
        if !read.notes.isEmpty { line.unknown = UnknownKeys.members(read.notes, in: read.bytes) }
        return line
    }

    private func hasFinding(at number: Int) -> Bool {
        findings[LineNumber(number)]?.contains { finding in
            finding.key.map { keys.contains($0.exact) } ?? false
        } ?? false
    }

    // MARK: Context

    /// Event types that affect all later events.
    private static let followedTypes = EventTypes(.logOpened, .appLaunched)

    /// Event types that help to understand later events on the same device.
    private static let contextTypes = EventTypes(.appLaunched, .restoreRequested)

    /// Event types that happen on a device rather than on a server.
    private static let deviceTypes = EventTypes(
        .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .queueFinished, .queueRemoved, .deliveryValidated, .deliveryPersisted,
        .deliveryDownload, .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn)

    private mutating func keepContext(_ line: StoryLine, _ event: LogEvent) {
        // Lines before a launch explain nothing after it.
        if event.type == .appLaunched { contextByDevice[event.device] = [] }
        contextByDevice[event.device, default: []].append(line)
    }

    /// Adds the device's context before an event of the story: the latest launch, and before a
    /// restored purchase also the restore requests.
    private mutating func addContext(before event: LogEvent) {
        guard StoryTeller.deviceTypes.contains(event.type), let kept = contextByDevice[event.device]
        else { return }
        let isRestored = event.type == .queueRestored
        selected += kept.filter { $0.type == .appLaunched || isRestored }
        contextByDevice[event.device] = isRestored ? nil : kept.filter { $0.type != .appLaunched }
    }

    // MARK: Phases

    /// The final phase of each payment, transaction and subscription seen, by kind and name.
    var endings: [PhaseChange] {
        let endings =
            scope.payments.map { phase(of: $0) } + scope.transactions.map { phase(of: $0) }
            + scope.originals.map { phase(ofSubscription: $0) }
        return endings.filter { $0.phase.name != PaymentPhase.unseen.rawValue }
            .sorted { ($0.subject, $0.key) < ($1.subject, $1.key) }
            .map {
                PhaseChange(subject: $0.subject, key: $0.key, before: $0.phase, after: $0.phase)
            }
    }

    private typealias SubjectPhase = (subject: String, key: String, phase: PhaseChange.Phase)

    /// The phases of the event's payment, its subscription and its transaction, which may be one
    /// that the event finishes by naming its payment.
    private func phases(
        of event: LogEvent, finishing finished: TransactionHandle?
    ) -> [SubjectPhase] {
        [
            event.fact.payment.map { phase(of: $0) },
            (event.fact.transaction ?? finished).map { phase(of: $0) },
            (event.fact.original ?? event.fact.transaction).map { phase(ofSubscription: $0) },
        ].compactMap { $0 }
    }

    private func phase(of payment: PaymentHandle) -> SubjectPhase {
        ("payment", names.text(of: payment), .init(state.phase(of: payment)))
    }

    private func phase(of transaction: TransactionHandle) -> SubjectPhase {
        ("transaction", names.text(of: transaction), .init(state.phase(of: transaction)))
    }

    private func phase(ofSubscription original: TransactionHandle) -> SubjectPhase {
        ("subscription", names.text(of: original), .init(state.subscriptionPhase(of: original)))
    }
}
