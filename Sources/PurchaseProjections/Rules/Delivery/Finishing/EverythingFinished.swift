import PurchaseEvents

/// A failed, purchased or restored entry is finished soon (G4.4, G4.8, I3).
///
/// A third launch of one device that presents the entry is a finding; an entry still open at the
/// end of the log is a note. A finish or removal closes the entry. Costs memory for open entries
/// only.
struct EverythingFinished: CatalogueRule {
    static let id = "everything-finished"
    static let level = Level.warning
    static let statement =
        "A failed, purchased or restored entry is finished before the third launch of a device "
        + "that presents it; one that is still open at the end of the log is noted. Failed ones "
        + "count only in a log that finishes any."
    static let evidence = ["G4.4", "G4.8", "I3"]
    static let reads = EventTypes(
        .queuePurchased, .queueRestored, .queueFailed, .queueFinished, .queueRemoved)

    private var open = HandleMap(OpenEntry(line: 0, launch: OpenEntry.Launch(device: 0, number: 0)))
    /// Presentations of open entries on devices other than the first one.
    private var elsewhere: [HandleKey: [UInt32: OpenEntry]] = [:]
    /// Findings on failed entries, withheld until the log finishes any failure.
    private var withheld: [(entry: QueueEntry<Interned>, open: OpenEntry, line: LineNumber)] = []
    private var failures = 0
    private var finishesFailures = false

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .queueFinished || event.type == .queueRemoved {
            let finished = facts.finishedTransaction(of: event)
            guard let entry = finished.map({ .transaction($0) }) ?? event.entry else { return }
            open.remove(HandleKey(entry))
            if !elsewhere.isEmpty { elsewhere[HandleKey(entry)] = nil }
            if event.type == .queueFinished, entry.payment != nil, !finishesFailures {
                reportWithheld(facts, &report)
            }
        } else if event.type == .queueFailed, let payment = event.payment {
            present(.payment(payment), event, on: line, facts, &report)
        } else if let transaction = event.transaction, !facts[transaction].isFinished {
            present(.transaction(transaction), event, on: line, facts, &report)
        }
    }

    private mutating func present(
        _ entry: QueueEntry<Interned>, _ event: Event<Interned>, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        let launch = OpenEntry.Launch(
            device: UInt32(Facts.index(of: event.device)), number: facts[event.device].launches)
        guard var known = open[HandleKey(entry)] else {
            open[HandleKey(entry)] = OpenEntry(line: line.number, launch: launch)
            if entry.payment == nil || finishesFailures { report.test() } else { failures += 1 }
            return
        }
        guard !known.isFound, let third = present(HandleKey(entry), &known, launch, line.number)
        else { return }
        if entry.payment == nil || finishesFailures {
            find(entry, third, line.number, facts, &report)
        } else {
            withheld.append((entry, third, line.number))
        }
    }

    /// Records that a launch presents an open entry.
    ///
    /// Returns the device's presentations if this is its third launch with the entry.
    private mutating func present(
        _ key: HandleKey, _ known: inout OpenEntry, _ launch: OpenEntry.Launch, _ line: LineNumber
    ) -> OpenEntry? {
        defer { open[key] = known }
        if known.device == launch.device {
            return known.present(launch, on: line) ? known : nil
        }
        guard elsewhere[key]?[launch.device] != nil else {
            elsewhere[key, default: [:]][launch.device] = OpenEntry(line: line, launch: launch)
            return nil
        }
        let isThird = elsewhere[key]?[launch.device]?.present(launch, on: line) ?? false
        guard isThird else { return nil }
        known.isFound = true
        return elsewhere[key]?[launch.device]
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
        let subject = Subject(entry, facts)
        if let reason = facts.incompleteReason(after: known.line) {
            return report.cannotTell("the log doesn't show \(subject.name) finished; \(reason)")
        }
        report.find(
            at: line, facts, account: subject.account, key: subject.key,
            "\(subject.name) is presented by a third launch: expected queue.finished before it",
            notes: [
                Finding.Note(
                    line: known.line, message: "let \(subject.description) be presented first"),
                Finding.Note(line: known.secondLine, message: "then a second launch presented it"),
            ],
            hint: "an unfinished entry is presented at each launch and may block the product: "
                + "find out why the app doesn't finish it")
    }

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        let left = open.entries.filter { key, known in
            !known.isFound && (key.entry.payment == nil || finishesFailures)
        }
        for (key, known) in left.sorted(by: { $0.value.line < $1.value.line }) {
            let subject = Subject(key.entry, facts)
            if let reason = facts.incompleteReason(after: known.line) {
                report.cannotTell("the log doesn't show \(subject.name) finished; \(reason)")
                continue
            }
            report.find(
                at: subject.line, facts, level: .note, account: subject.account, key: subject.key,
                "\(subject.name) is still open at the end of the log: expected queue.finished",
                notes: [
                    Finding.Note(
                        line: known.line, message: "let \(subject.description) be presented first")
                ],
                hint: "it is presented again at the next launch and can be finished then")
        }
    }
}

/// A queue entry as text.
private struct Subject {
    let name: String, key: String
    /// The name with product and account.
    let description: String
    let account: AccountID<Interned>?
    /// The last line that names the entry.
    let line: LineNumber

    init(_ entry: QueueEntry<Interned>, _ facts: Facts) {
        switch entry {
        case .transaction(let transaction):
            name = DeliveryPhrases.name(transaction, facts)
            description = facts.describe(transaction)
            key = facts.text(transaction)
            account = facts.owner(of: transaction)
            line = facts[transaction].namedLine
        case .payment(let payment):
            key = facts.names.text(of: payment)
            name = "the failure of payment \(key)"
            description = "the failure of \(facts.describe(payment))"
            account = facts[payment].account
            line = facts[payment].namedLine
        }
    }
}

/// An entry that was presented on a device and is not finished.
private struct OpenEntry: Sendable {
    /// A launch of a device; number 0 stands for the time before the first launch in the log.
    struct Launch: Hashable, Sendable {
        var device: UInt32, number: UInt32
    }

    /// The line that first presented the entry.
    let line: LineNumber
    let device: UInt32
    /// Whether a third launch was found.
    var isFound = false
    /// The numbers of the first and second launch with the entry; 0 if there is none.
    private var first: UInt32, second: UInt32 = 0
    /// The line of the presentation by a second launch; 0 if there is none.
    private(set) var secondLine: LineNumber = 0

    init(line: LineNumber, launch: Launch) {
        self.line = line
        device = launch.device
        first = launch.number
    }

    /// Records a presentation on the entry's device; returns whether it is the first by a third
    /// launch.
    mutating func present(_ launch: Launch, on line: LineNumber) -> Bool {
        let number = launch.number
        guard number > 0, !isFound, number != first, number != second else { return false }
        if first == 0 {
            first = number
        } else if second == 0 {
            second = number
            secondLine = line
        } else {
            isFound = true
        }
        return isFound
    }
}
