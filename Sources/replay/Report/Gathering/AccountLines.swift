import PurchaseEvents
import PurchaseProjections

/// Assigns the lines of a log to the accounts to draw.
///
/// An event belongs to the account that it names, else to the owner of its transaction or payment,
/// else to the account that uses the device. A launch belongs to the account that acts after it.
struct AccountLines {
    private let log: Int
    private let facts: Facts
    private let findings: [ExactName?: [ReportFinding]]
    private let choice: AccountChoice
    private let instant: Timestamp?
    private var collectors: [AccountCollector] = []
    /// The index in ``collectors`` by account; -1 if the account isn't drawn.
    private var slots: [Int]
    /// The lines without an account, drawn if they have a finding or the log is small.
    private var ownerless: AccountCollector
    private var isSeen: [Bool]
    private(set) var accountCount = 0
    /// The account that acted last on each device since its launch, and the lines that wait for
    /// an account.
    private var users: [DeviceHandle?: AccountHandle] = [:]
    private var contexts: [DeviceHandle?: [AccountCollector.KeptLine]] = [:]
    private var notification: (id: NotificationHandle, line: AccountCollector.KeptLine)?
    private var presented = PresentedTransactions()
    /// The facts of the drawn accounts' lines, for their subscriptions.
    private var show: Show
    /// For each line of a proof, the slots of the pictures that must contain the line; -1 means no
    /// account.
    private var slotsOfLine: [Int: Set<Int>] = [:]

    init(
        _ log: Int, _ facts: Facts, _ findings: [ReportFinding], _ choice: AccountChoice,
        _ limits: ReportLimits
    ) {
        (self.log, self.facts) = (log, facts)
        self.findings = Dictionary(grouping: findings) { $0.account?.exact }
        self.choice = choice
        instant = limits.input.instant
        show = Show([any Projection](), names: facts.names, asOf: limits.input.instant)
        let count = facts.names.count(of: .account)
        slots = [Int](repeating: -1, count: count)
        isSeen = [Bool](repeating: false, count: count)
        ownerless = AccountCollector(
            nil, proofLines: AccountLines.proofLines(self.findings[nil] ?? []),
            limit: choice.marksPerPicture)
        for account in choice.withFindings[log] ?? [] {
            guard let account, let known = facts.names.find(AccountID<Written>(account.text))
            else { continue }
            addCollector(known)
        }
        for finding in findings {
            let account = finding.account.flatMap { facts.names.find(AccountID<Written>($0)) }
            let slot = account.map { slots[$0.index] } ?? -1
            guard account == nil || slot >= 0 else { continue }
            // Show the whole proof in one picture.
            for line in [finding.line] + finding.noteLines {
                slotsOfLine[line, default: []].insert(slot)
            }
        }
    }

    private static func proofLines(_ findings: [ReportFinding]) -> Set<Int> {
        Set(findings.flatMap { [$0.line] + $0.noteLines })
    }

    private mutating func addCollector(_ account: AccountHandle) {
        let name = facts.names.text(of: account).exact
        let proofs = AccountLines.proofLines(findings[name] ?? [])
        slots[account.index] = collectors.count
        collectors.append(
            AccountCollector(account, proofLines: proofs, limit: choice.marksPerPicture))
    }

    mutating func observe(_ lines: ReadLines) {
        for line in lines { if let event = line.eventPlace { observe(event.pointee, line) } }
    }

    private mutating func observe(_ event: LogEvent, _ line: ReadLine) {
        if AccountLines.globalTypes.contains(event.type) {
            show.observe(line)
            for slot in slotsOfLine[line.number] ?? [] { add(kept(event, line), to: slot) }
            return
        }
        let account = owner(of: event)
        if let account { note(account) }
        let slot = account.map { slots[$0.index] } ?? -1
        let isOfDevice = AccountLines.isOfDevice(event)
        if isOfDevice, let account { users[event.device] = account }
        let proofSlots = slotsOfLine[line.number] ?? []
        guard slot >= 0 || account == nil || !proofSlots.isEmpty else {
            if isOfDevice { contexts[event.device] = nil }
            return
        }
        let kept = kept(event, line)
        for other in proofSlots where other != slot { add(kept, to: other) }
        guard account != nil else { return observeOwnerless(event, kept, line) }
        guard slot >= 0 else { return }
        if isOfDevice, let before = contexts.removeValue(forKey: event.device) {
            for kept in before { collectors[slot].add(kept) }
        }
        if let source = event.source, let waiting = notification, waiting.id == source {
            collectors[slot].add(waiting.line)
            notification = nil
        }
        show.observe(line)
        collectors[slot].add(kept)
    }

    /// Handles an event whose account isn't known from its own names.
    private mutating func observeOwnerless(
        _ event: LogEvent, _ kept: AccountCollector.KeptLine, _ line: ReadLine
    ) {
        if case .notificationReceived(let fact) = event.fact {
            if let waiting = notification { addOwnerless(waiting.line) }
            notification = (fact.notification, kept)
        } else if event.type == .appLaunched {
            for kept in contexts[event.device] ?? [] { addOwnerless(kept) }
            contexts[event.device] = [kept]
            users[event.device] = nil
        } else if AccountLines.isOfDevice(event) {
            if let user = users[event.device] {
                let slot = slots[user.index]
                if slot >= 0 { collectors[slot].add(kept) }
            } else if contexts[event.device, default: []].count < AccountLines.contextLines {
                contexts[event.device, default: []].append(kept)
            }
        } else {
            show.observe(line)
            addOwnerless(kept)
        }
    }

    private static let contextLines = 50

    private mutating func addOwnerless(_ kept: AccountCollector.KeptLine) {
        if choice.drawsOthers, choice.only == nil { ownerless.add(kept) }
    }

    private mutating func add(_ kept: AccountCollector.KeptLine, to slot: Int) {
        if slot >= 0 { collectors[slot].add(kept) } else { ownerless.add(kept) }
    }

    /// Counts an account at its first event, and decides whether to draw the account.
    private mutating func note(_ account: AccountHandle) {
        guard !isSeen[account.index] else { return }
        isSeen[account.index] = true
        accountCount += 1
        guard slots[account.index] < 0, choice.drawsOthers, others < choice.room else { return }
        if let only = choice.only, facts.names.text(of: account).exact != only { return }
        addCollector(account)
    }

    /// The number of drawn accounts without findings.
    private var others: Int {
        collectors.count - (choice.withFindings[log] ?? []).count { $0 != nil }
    }

    private mutating func kept(_ event: LogEvent, _ line: ReadLine) -> AccountCollector.KeptLine {
        AccountCollector.KeptLine(
            number: line.number, seq: event.seq, at: event.at, type: event.type,
            bytes: Array(line.bytes), transaction: event.fact.original ?? event.fact.transaction,
            isAgain: presented.isAgain(event),
            environment: event.environment ?? facts.logEnvironment)
    }

    private func owner(of event: LogEvent) -> AccountHandle? {
        if let account = event.account { return account }
        if let transaction = event.fact.transaction ?? event.fact.original {
            return facts.owner(of: transaction)
        }
        return event.fact.payment.flatMap { facts[$0].account }
    }

    /// Types of events that concern the whole log.
    private static let globalTypes = EventTypes(
        .logOpened, .logNoted, .logRecovered, .catalogRequested, .catalogListed, .catalogInvalid,
        .contentPublished)

    /// Whether an event happens on a device rather than on a server.
    private static func isOfDevice(_ event: LogEvent) -> Bool {
        event.device != nil || deviceTypes.contains(event.type)
    }

    private static let deviceTypes = EventTypes(
        .appLaunched, .paymentRestricted, .paymentAllowed, .paymentRequested, .queueObserved,
        .queueUnobserved, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .queueFinished, .queueRemoved, .deliveryPersisted, .deliveryDownload,
        .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn, .deliveryUnlocked,
        .deliveryConsumed, .restoreRequested, .restoreSelected, .restoreCompleted,
        .restoreFailed, .contentOpened)
}

// MARK: Pictures

extension AccountLines {
    /// The number of accounts that aren't drawn; 0 if one account was selected.
    var undrawn: Int { choice.only == nil ? max(0, accountCount - collectors.count) : 0 }

    /// The pictures of the drawn accounts: those with findings first.
    mutating func pictures(end: Timestamp) -> [AccountPicture] {
        for kept in contexts.values.joined() { addOwnerless(kept) }
        if let waiting = notification { addOwnerless(waiting.line) }
        var all = collectors
        let isDrawn = ownerless.kept.contains { !AccountLines.idleTypes.contains($0.type) }
        if isDrawn || findings[nil] != nil { all.append(ownerless) }
        var periods = DrawnPeriods(show.facts, asOf: instant)
        return all.map { collector in
            var collector = collector
            collector.trim()
            return picture(collector, &periods, end: end)
        }.sorted { !$0.findings.isEmpty && $1.findings.isEmpty }
    }

    /// Event types that alone don't justify a picture.
    private static let idleTypes = EventTypes(.appLaunched, .queueObserved, .queueUnobserved)

    private func picture(
        _ collector: AccountCollector, _ periods: inout DrawnPeriods, end: Timestamp
    ) -> AccountPicture {
        let name = collector.account.map { facts.names.text(of: $0) }
        var picture = AccountPicture(log: log, account: name, end: end)
        let found = periods.subscriptions(of: collector.account)
        picture.subscriptions = found.prefix(ReportLimits.subscriptions).map(\.drawn)
        picture.subscriptionsLeftOut = found.count - picture.subscriptions.count
        let indices = Dictionary(
            found.prefix(ReportLimits.subscriptions).enumerated().map { ($1.original, $0) },
            uniquingKeysWith: { first, _ in first })
        let lineWords = LineWords(in: facts.logEnvironment)
        picture.marks = collector.kept.sorted { $0.number < $1.number }.map { kept in
            let words = kept.bytes.withUnsafeBytes {
                lineWords.words(kept.type, $0, isAgain: kept.isAgain, in: kept.environment)
            }
            return EventMark(
                number: kept.number, seq: kept.seq, at: kept.at, type: kept.type, words: words,
                subscription: kept.transaction.flatMap { indices[facts.original(of: $0)] })
        }
        picture.leftOut = collector.count - picture.marks.count
        picture.findings = findings[name?.exact] ?? []
        return picture
    }
}
