import PurchaseEvents

/// A failed, purchased or restored entry is finished soon (G4.4, G4.8, I3).
///
/// Each device counts its own launches and finishes by itself. A third launch that presents the
/// entry is a finding; an entry still open at the end of the log is a note. A finish or removal
/// closes the entry on its device; one without a device, or by a device that was not shown the
/// entry, on all. Another device's entry is open at the end if it was presented since. Costs memory
/// for open entries only.
struct EverythingFinished: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "A failed, purchased or restored entry is finished before the third launch of a device "
        + "that presents it, whatever other devices finish; one that is still open at the end of "
        + "the log is noted. Failed ones count only in a log that finishes any."
    static let evidence = ["G4.4", "G4.8", "I3"]
    static let reads = EventTypes(
        .queuePurchased, .queueRestored, .queueFailed, .queueFinished, .queueRemoved)

    private var open = DeviceEntries(OpenEntry(line: 0, launch: 0))
    /// Open entries with a finding.
    private var found: Set<HandleKey> = []
    /// Findings on failed entries, withheld until the log finishes any failure.
    private var withheld: [(entry: QueueEntry<Interned>, open: OpenEntry, line: LineNumber)] = []
    private var failures = 0
    private var finishesFailures = false

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&open).visit(&found).visit(&withheld).visit(&failures)
        visitor.visit(&finishesFailures)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .queueFinished || event.type == .queueRemoved {
            let finished = facts.finishedTransaction(of: event)
            guard let entry = finished.map({ .transaction($0) }) ?? event.entry else { return }
            close(HandleKey(entry), on: event.device)
            if event.type == .queueFinished, entry.payment != nil, !finishesFailures {
                reportWithheld(facts, &report)
            }
        } else if event.type == .queueFailed, let payment = event.payment {
            present(.payment(payment), event, on: line, facts, &report)
        } else if let transaction = event.transaction,
            !facts.hasFinished(transaction, on: event.device)
        {
            present(.transaction(transaction), event, on: line, facts, &report)
        }
    }

    private mutating func close(_ key: HandleKey, on device: DeviceHandle?) {
        if device == nil || open.remove(key, on: Facts.index(of: device)) == nil {
            _ = open.removeAll(key)
        }
        if !found.isEmpty, !open.contains(key) { found.remove(key) }
    }

    private mutating func present(
        _ entry: QueueEntry<Interned>, _ event: LogEvent, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        let key = HandleKey(entry)
        let device = Facts.index(of: event.device)
        let launch = facts[event.device].launches
        let entered = OpenEntry(line: line.number, launch: launch)
        guard var known = open.replace(entered, key, on: device) else {
            guard !open.isOnSeveral(key) else { return }
            if entry.payment == nil || finishesFailures { report.test() } else { failures += 1 }
            return
        }
        let isThird = known.present(launch, on: line.number)
        open.replace(known, key, on: device)
        guard isThird, found.insert(key).inserted else { return }
        if entry.payment == nil || finishesFailures {
            find(entry, known, line.number, facts, &report)
        } else {
            withheld.append((entry, known, line.number))
        }
    }

    /// Reports withheld findings on failed entries, because the log does finish failures.
    private mutating func reportWithheld(_ facts: Facts, _ report: inout Report) {
        finishesFailures = true
        report.test(times: failures)
        for (entry, known, line) in withheld { find(entry, known, line, facts, &report) }
        withheld = []
    }

    private func find(
        _ entry: QueueEntry<Interned>, _ known: OpenEntry, _ line: LineNumber, _ facts: Facts,
        _ report: inout Report
    ) {
        let subject = EntryText(entry, failure: "the failure of ", facts)
        if let reason = facts.incompleteReason(after: known.line) {
            return report.cannotTell("the log doesn't show \(subject.name) finished; \(reason)")
        }
        report.find(
            at: line, facts, account: subject.account, key: subject.key,
            "\(subject.name) is presented by a third launch: expected queue.finished before it",
            notes: Finding.note(known.line, "let \(subject.description) be presented first")
                + Finding.note(known.secondLine, "then a second launch presented it"),
            hint: "an unfinished entry is presented at each launch and may block the product: "
                + "find out why the app doesn't finish it")
    }

    mutating func finish(facts: Facts, report: inout Report) {
        var left: [HandleKey: OpenEntry] = [:]
        for (key, _, known) in open.all
        where !found.contains(key) && (key.entry.payment == nil || finishesFailures)
            && known.latestLine > EverythingFinished.finishedLine(of: key.entry, facts)
        {
            if let other = left[key], other.line <= known.line { continue }
            left[key] = known
        }
        for (key, known) in left.sorted(by: { $0.value.line < $1.value.line }) {
            let subject = EntryText(key.entry, failure: "the failure of ", facts)
            if let reason = facts.incompleteReason(after: known.line) {
                report.cannotTell("the log doesn't show \(subject.name) finished; \(reason)")
                continue
            }
            report.find(
                at: subject.line, facts, level: .note, account: subject.account, key: subject.key,
                "\(subject.name) is still open at the end of the log: expected queue.finished",
                notes: Finding.note(known.line, "let \(subject.description) be presented first"),
                hint: "it is presented again at the next launch and can be finished then")
        }
    }
}

extension EverythingFinished {
    /// The line at which a device finished an entry last; 0 if none did.
    private static func finishedLine(of entry: QueueEntry<Interned>, _ facts: Facts) -> LineNumber {
        switch entry {
        case .transaction(let transaction): facts[transaction].latestFinishedLine
        case .payment(let payment): facts[payment].finishedLine
        }
    }
}

/// An entry that was presented on a device and is not finished there.
private struct OpenEntry: Sendable {
    /// The lines that first and last presented the entry.
    let line: LineNumber
    private(set) var latestLine: LineNumber
    /// The number of the device's latest launch with the entry; 0 stands for the time before the
    /// first launch in the log.
    private var latest: UInt32
    /// The number of launches with the entry.
    private var count: UInt32
    /// The line of the presentation by a second launch; 0 if there is none.
    private(set) var secondLine: LineNumber = 0

    init(line: LineNumber, launch: UInt32) {
        (self.line, latestLine, latest) = (line, line, launch)
        count = launch == 0 ? 0 : 1
    }

    /// Records a presentation; returns whether it is the first by a third launch.
    mutating func present(_ launch: UInt32, on line: LineNumber) -> Bool {
        latestLine = line
        guard launch > 0, launch != latest else { return false }
        latest = launch
        count += 1
        if count == 2 { secondLine = line }
        return count == 3
    }
}
