import PurchaseEvents

/// An unfinished entry is presented again after each launch (G4.4).
///
/// Each device keeps the entries that it presented until they are finished or leave the queue, and
/// the launches after which its queue spoke. The launches since an entry was last presented are
/// those that missed it; they are looked up when the entry is presented again, finished or removed,
/// and at the end of the log. The latest launch is not judged, because its queue may still speak.
struct PresentedUntilFinished: CatalogueRule {
    static let id = "presented-until-finished"
    static let level = Level.warning
    static let statement =
        "An unfinished failed, purchased or restored entry is presented again after each launch "
        + "of its device after which the queue reports any event."
    static let evidence = ["G4.4", "I3"]
    static let reads = EventTypes(
        .appLaunched, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .queueFinished, .queueRemoved)

    private struct Device {
        /// The number of open entries.
        var open = 0
        /// The line of the latest launch, and the line of the first queue event after it.
        var launchedLine: LineNumber = 0, spokenLine: LineNumber = 0
        /// The judged launches since the device last had no open entry.
        var launches: [QueueLaunch] = []
    }

    private var devices = DenseTable(Device())
    private var entries = DeviceEntries(PresentedEntry(line: 0))

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .queueFinished { return finish(event, facts, &report) }
        let device = Facts.index(of: event.device)
        if event.type == .appLaunched { return launch(device, line.number, facts, &report) }
        if devices[device].spokenLine == 0 { devices[device].spokenLine = line.number }
        if event.type == .queuePurchased || event.type == .queueRestored {
            guard let transaction = event.transaction else { return }
            if !facts[transaction].isFinished {
                present(.transaction(transaction), device, line.number, facts, &report)
            }
            if let payment = event.payment, facts[payment].failedLine != 0 {
                close(.payment(payment), device, facts, &report)
            }
        } else if event.type == .queueFailed, let payment = event.payment {
            present(.payment(payment), device, line.number, facts, &report)
        } else if event.type == .queueRemoved, let entry = event.entry {
            close(entry, device, facts, &report)
        }
    }

    private mutating func present(
        _ entry: QueueEntry<Interned>, _ device: Int, _ line: LineNumber, _ facts: Facts,
        _ report: inout Report
    ) {
        let key = HandleKey(entry)
        guard var known = entries.value(key, on: device) else {
            devices[device].open += 1
            return entries.set(PresentedEntry(line: line), key, on: device)
        }
        known.judge(devices[device].launches, &report)
        known.line = line
        entries.set(known, key, on: device)
    }

    /// Closes a device's entry that left the queue.
    private mutating func close(
        _ entry: QueueEntry<Interned>, _ device: Int, _ facts: Facts, _ report: inout Report
    ) {
        guard let known = entries.remove(HandleKey(entry), on: device) else { return }
        close(entry, known, device, facts, &report)
    }

    /// Closes the entries that a `queue.finished` ends, on every device.
    private mutating func finish(
        _ event: Event<Interned>, _ facts: Facts, _ report: inout Report
    ) {
        if let transaction = facts.finishedTransaction(of: event) {
            finish(.transaction(transaction), facts, &report)
        }
        if let payment = event.payment { finish(.payment(payment), facts, &report) }
    }

    private mutating func finish(
        _ entry: QueueEntry<Interned>, _ facts: Facts, _ report: inout Report
    ) {
        for (device, known) in entries.removeAll(HandleKey(entry)) {
            close(entry, known, device, facts, &report)
        }
    }

    private mutating func close(
        _ entry: QueueEntry<Interned>, _ known: PresentedEntry, _ device: Int, _ facts: Facts,
        _ report: inout Report
    ) {
        var known = known
        known.judge(devices[device].launches, &report)
        if known.missed > 0 { find(entry, known, facts, &report) }
        devices[device].open -= 1
        if devices[device].open == 0 { devices[device].launches = [] }
    }

    /// Records the previous launch as judged if its queue spoke, and starts a new one.
    private mutating func launch(
        _ device: Int, _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        if devices[device].open > 0 {
            report.test()
            if devices[device].launchedLine != 0, devices[device].spokenLine != 0 {
                devices[device].launches.append(
                    QueueLaunch(
                        line: devices[device].launchedLine,
                        spokenLine: devices[device].spokenLine, nextLine: line,
                        unreadLine: facts.latestNotUnderstoodLine))
            }
        }
        devices[device].launchedLine = line
        devices[device].spokenLine = 0
    }

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        for (key, device, known) in entries.all.sorted(by: { $0.value.line < $1.value.line }) {
            close(key.entry, known, device, facts, &report)
        }
    }

    private func find(
        _ entry: QueueEntry<Interned>, _ known: PresentedEntry, _ facts: Facts,
        _ report: inout Report
    ) {
        let account: AccountID<Interned>?
        let key: String, name: String
        switch entry {
        case .transaction(let transaction):
            account = facts.owner(of: transaction)
            key = facts.text(transaction)
            name = "transaction \(key)"
        case .payment(let payment):
            account = facts[payment].account
            key = facts.names.text(of: payment)
            name = "the failed payment \(key)"
        }
        let others = FindingPhrases.others(of: known.missed).map { ", nor after \($0)" } ?? ""
        report.find(
            at: known.first.line, facts, account: account, key: key,
            "\(name) is unfinished, and was not presented again after this launch\(others): "
                + "expected the queue to present it",
            notes: known.notes(PresentedUntilFinished.describe(entry, facts)),
            hint: "look at whether the app finished it without a record, or heard it and "
                + "dropped it: its buyer may still wait")
    }

    private static func describe(_ entry: QueueEntry<Interned>, _ facts: Facts) -> String {
        switch entry {
        case .transaction(let transaction): facts.describe(transaction)
        case .payment(let payment): "the failed \(facts.describe(payment))"
        }
    }
}

/// A launch of a device after which its queue spoke.
private struct QueueLaunch: Sendable {
    var line: LineNumber = 0
    /// The line of the queue's first event after the launch.
    var spokenLine: LineNumber = 0
    /// The line of the next launch.
    var nextLine: LineNumber = 0
    /// The latest line that was not understood before the next launch; 0 if there is none.
    var unreadLine: LineNumber = 0
}

/// An entry that was presented on a device and is not finished.
private struct PresentedEntry: Sendable {
    /// The line of the latest presentation.
    var line: LineNumber
    /// The number of launches that missed the entry, the first and the line of the last.
    private(set) var missed = 0
    private(set) var first = QueueLaunch()
    private(set) var lastLine: LineNumber = 0
    /// The line of the latest presentation before the first launch that missed the entry.
    private(set) var presented: LineNumber = 0

    init(line: LineNumber) { self.line = line }

    /// Counts the launches since the latest presentation, which all missed the entry.
    mutating func judge(_ launches: [QueueLaunch], _ report: inout Report) {
        let since = launches.lowerBound { $0.line > line }
        guard since < launches.count else { return }
        // A line that was not understood may have presented the entry.
        let unread = launches[since...].lowerBound { $0.unreadLine > line }
        if unread < launches.count {
            report.cannotTell(
                "whether an unfinished entry was presented again: line "
                    + "\(launches[unread].unreadLine) was not understood, and what it said is "
                    + "unknown")
        }
        guard since < unread else { return }
        if missed == 0 { (first, presented) = (launches[since], line) }
        missed += unread - since
        lastLine = launches[unread - 1].line
    }

    /// The proof that launches missed the entry.
    func notes(_ words: String) -> [Finding.Note] {
        var notes = [
            Finding.Note(line: presented, message: "let \(words) be presented"),
            Finding.Note(
                line: first.spokenLine, message: "then the queue reported events after the launch"),
            Finding.Note(
                line: first.nextLine, message: "then the app was launched again, without it"),
        ]
        if missed > 1 {
            notes.append(
                Finding.Note(
                    line: lastLine, message: "then this was the last of \(missed) such launches"))
        }
        return notes
    }
}
