import PurchaseEvents

/// An unfinished entry is presented again after each launch (G4.4).
///
/// Each device keeps the entries that it presented until they are finished or leave the queue, and
/// the launches after which its queue spoke. The launches since an entry was last presented are
/// those that missed it; they are looked up when the entry is presented again, finished or removed,
/// and at the end of the log. The latest launch is not judged, because its queue may still speak. A
/// purchase closes the failure of the payment that it answers, named or not. What is presented
/// again later was in the queue all along, and the process may have ended before it recorded that:
/// a note.
struct PresentedUntilFinished: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "An unfinished failed, purchased or restored entry is presented again after each launch "
        + "of its device after which the queue reports any event; if a later launch presents it, "
        + "that is a note."
    static let evidence = ["G4.4", "I3"]
    static let reads = EventTypes(
        .appLaunched, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .queueFinished, .queueRemoved)

    private struct Device: SnapshottedElement {
        /// The number of open entries.
        var open = 0
        /// The line of the latest launch, and the line of the first queue event after it.
        var launchedLine: LineNumber = 0, spokenLine: LineNumber = 0
        /// The judged launches since the device last had no open entry.
        var launches: [QueueLaunch] = []

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&open).visit(&launchedLine).visit(&spokenLine).visit(&launches)
        }
    }

    private var devices = DenseTable(Device())
    /// The line of the latest presentation of each open entry.
    private var entries = DeviceEntries<LineNumber>(0)
    private var missed: [MissedEntry: MissedLaunches] = [:]
    /// The payments that are deferred or interrupted, and those that were, oldest first.
    private var open: Set<PaymentHandle> = []
    private var unanswered = UnansweredPayments()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&devices).visit(&entries).visit(&missed).visit(&open).visit(&unanswered)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .queueFinished { return finish(event, facts, &report) }
        let device = Facts.index(of: event.device)
        if event.type == .appLaunched { return launch(device, line.number, facts, &report) }
        if devices[device].spokenLine == 0 { devices[device].spokenLine = line.number }
        if event.type == .queuePurchased || event.type == .queueRestored {
            guard let transaction = event.transaction else { return }
            if !facts[transaction].isFinished {
                present(.transaction(transaction), device, line.number, facts, &report)
            }
            if let payment = event.payment {
                if !open.isEmpty { open.remove(payment) }
                guard facts[payment].failedLine != 0 else { return }
                close(.payment(payment), device, facts, &report)
            } else if !open.isEmpty, facts[transaction].purchasedLine == line.number {
                answer(event, facts, &report)
            }
        } else if event.type == .queueDeferred, let payment = event.payment {
            wait(for: payment, event, facts)
        } else if event.type == .queueFailed, let payment = event.payment {
            present(.payment(payment), device, line.number, facts, &report)
            if event.isInterruption {
                wait(for: payment, event, facts)
            } else if !open.isEmpty {
                open.remove(payment)
            }
        } else if event.type == .queueRemoved, let entry = event.entry {
            close(entry, device, facts, &report)
        }
    }

    private mutating func wait(
        for payment: PaymentHandle, _ event: LogEvent, _ facts: Facts
    ) {
        guard let product = facts[payment].product, open.insert(payment).inserted else { return }
        unanswered.add(
            payment, of: UnansweredPayments.Key(product, facts[payment].account, event.device))
    }

    /// Closes the failure of the payment that a purchase without a payment answers.
    private mutating func answer(_ event: LogEvent, _ facts: Facts, _ report: inout Report) {
        guard event.mayAnswerPayment, let product = event.product else { return }
        let key = UnansweredPayments.Key(product, event.account, event.device)
        while let payment = unanswered.popFirst(of: key) {
            guard open.remove(payment) != nil else { continue }
            return finish(.payment(payment), facts, &report)
        }
    }

    private mutating func present(
        _ entry: QueueEntry<Interned>, _ device: Int, _ line: LineNumber, _ facts: Facts,
        _ report: inout Report
    ) {
        let key = HandleKey(entry)
        if let before = entries.replace(line, key, on: device) {
            if !devices[device].launches.isEmpty { count(key, before, device, &report) }
        } else {
            devices[device].open += 1
        }
    }

    /// Counts the launches since an entry was last presented, which all missed the entry.
    private mutating func count(
        _ key: HandleKey, _ presented: LineNumber, _ device: Int, _ report: inout Report
    ) {
        let entry = MissedEntry(key: key, device: device)
        var known = missed[entry] ?? MissedLaunches()
        known.add(devices[device].launches, since: presented, &report)
        if known.count > 0 { missed[entry] = known }
    }

    private mutating func close(
        _ entry: QueueEntry<Interned>, _ device: Int, _ facts: Facts, _ report: inout Report
    ) {
        let key = HandleKey(entry)
        guard let line = entries.remove(key, on: device) else { return }
        close(key, presented: line, device, facts, &report)
    }

    /// Closes the entries that a `queue.finished` ends, on every device.
    private mutating func finish(_ event: LogEvent, _ facts: Facts, _ report: inout Report) {
        if let transaction = facts.finishedTransaction(of: event) {
            finish(.transaction(transaction), facts, &report)
        }
        if let payment = event.payment {
            finish(.payment(payment), facts, &report)
            if !open.isEmpty { open.remove(payment) }
        }
    }

    private mutating func finish(
        _ entry: QueueEntry<Interned>, _ facts: Facts, _ report: inout Report
    ) {
        let key = HandleKey(entry)
        for known in entries.removeAll(key) {
            close(key, presented: known.value, known.device, facts, &report)
        }
    }

    private mutating func close(
        _ key: HandleKey, presented line: LineNumber, _ device: Int, _ facts: Facts,
        _ report: inout Report
    ) {
        devices[device].open -= 1
        guard !devices[device].launches.isEmpty || !missed.isEmpty else { return }
        let entry = MissedEntry(key: key, device: device)
        let presentedAfter = missed[entry]?.count ?? 0
        count(key, line, device, &report)
        if devices[device].open == 0 { devices[device].launches = [] }
        if let known = missed.removeValue(forKey: entry) {
            find(key.entry, known, isNote: known.count == presentedAfter, facts, &report)
        }
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

    mutating func finish(facts: Facts, report: inout Report) {
        for (key, device, line) in entries.all.sorted(by: { $0.value < $1.value }) {
            close(key, presented: line, device, facts, &report)
        }
    }

    private func find(
        _ entry: QueueEntry<Interned>, _ known: MissedLaunches, isNote: Bool, _ facts: Facts,
        _ report: inout Report
    ) {
        let subject = EntryText(entry, failure: "the failed ", facts)
        let others = FindingPhrases.others(of: known.count).map { ", nor after \($0)" } ?? ""
        report.find(
            at: known.first.line, facts, level: isNote ? .note : nil, account: subject.account,
            key: subject.key,
            "\(subject.name) is unfinished, and was not presented again after this launch"
                + "\(others): expected the queue to present it",
            notes: known.notes(subject.description),
            hint: isNote
                ? "it was presented later, so nothing is lost: look at whether the app ended "
                    + "before it recorded everything that the queue presented"
                : "look at whether the app finished it without a record, or heard it and "
                    + "dropped it: its buyer may still wait")
    }
}

private struct QueueLaunch: Sendable {
    var line: LineNumber = 0
    /// The line of the queue's first event after the launch.
    var spokenLine: LineNumber = 0
    var nextLine: LineNumber = 0
    /// The latest line that was not understood before the next launch; 0 if there is none.
    var unreadLine: LineNumber = 0
}

private struct MissedEntry: Hashable, Sendable {
    var key: HandleKey
    var device: Int
}

private struct MissedLaunches: Sendable {
    /// The number of launches, the first and the line of the last.
    private(set) var count = 0
    private(set) var first = QueueLaunch()
    private(set) var lastLine: LineNumber = 0
    /// The line of the latest presentation before the first launch.
    private(set) var presented: LineNumber = 0

    mutating func add(_ launches: [QueueLaunch], since line: LineNumber, _ report: inout Report) {
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
        if count == 0 { (first, presented) = (launches[since], line) }
        count += unread - since
        lastLine = launches[unread - 1].line
    }

    func notes(_ words: String) -> [Finding.Note] {
        Finding.note(presented, "let \(words) be presented")
            + Finding.note(first.spokenLine, "then the queue reported events after the launch")
            + Finding.note(first.nextLine, "then the app was launched again, without it")
            + Finding.note(
                count > 1 ? lastLine : 0, "then this was the last of \(count) such launches")
    }
}
