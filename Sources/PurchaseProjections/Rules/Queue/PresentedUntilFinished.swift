import PurchaseEvents

/// An unfinished entry is presented again after each launch (G4.4).
///
/// Each device keeps the entries that it presented until they are finished or leave the queue. A
/// launch is judged at the next launch, and only if the queue reported anything in between.
struct PresentedUntilFinished: CatalogueRule {
    static let id = "presented-until-finished"
    static let level = Level.warning
    static let statement =
        "An unfinished failed, purchased or restored entry is presented again after each launch "
        + "of its device after which the queue reports any event."
    static let evidence = ["G4.4", "I3"]
    static let reads = EventTypes(
        .appLaunched, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .queueRemoved)

    private struct Device {
        /// Open presentations, including those that another device's finish has ended.
        var open = OpenKeys(replacesEarlier: true)
        /// The line of the latest launch, and the line of the first queue event after it.
        var launchedLine: LineNumber = 0, spokenLine: LineNumber = 0

        /// Records a queue event: the entry that it presents, and the entry that it closes.
        mutating func hear(
            _ entry: QueueEntry<Interned>?, _ line: LineNumber,
            closing closed: QueueEntry<Interned>? = nil
        ) {
            if spokenLine == 0 { spokenLine = line }
            if let entry { open.open(HandleKey(entry), line) }
            if let closed { open.close(HandleKey(closed), line) }
        }
    }

    private var devices = DenseTable(Device())

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let device = Facts.index(of: event.device)
        if event.type == .appLaunched { return launch(device, line.number, facts, &report) }
        if event.type == .queuePurchased || event.type == .queueRestored {
            guard let transaction = event.transaction else { return }
            let closed = event.payment.flatMap { facts[$0].failedLine == 0 ? nil : $0 }
            devices[device].hear(
                facts[transaction].isFinished ? nil : .transaction(transaction), line.number,
                closing: closed.map { .payment($0) })
        } else if event.type == .queueFailed, let payment = event.payment {
            devices[device].hear(.payment(payment), line.number)
        } else if event.type == .queueRemoved, let entry = event.entry {
            devices[device].hear(nil, line.number, closing: entry)
        } else {
            devices[device].hear(nil, line.number)
        }
        if devices[device].open.isLong { dropFinished(device, facts) }
    }

    private func isFinished(
        _ entry: QueueEntry<Interned>, presented line: LineNumber, _ facts: Facts
    ) -> Bool {
        switch entry {
        case .transaction(let transaction): facts[transaction].isFinished
        case .payment(let payment): facts[payment].finishedLine > line
        }
    }

    /// Drops presentations whose entry was removed or finished.
    private mutating func dropFinished(_ device: Int, _ facts: Facts) {
        devices[device].open.compact()
        var kept = 0
        for index in devices[device].open.marks.indices {
            let mark = devices[device].open.marks[index]
            if isFinished(mark.key.entry, presented: mark.line, facts) { continue }
            devices[device].open.move(index, to: kept)
            kept += 1
        }
        devices[device].open.cut(to: kept)
    }

    /// Judges the previous launch, and starts a new one.
    private mutating func launch(
        _ device: Int, _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        if !devices[device].open.isEmpty {
            dropFinished(device, facts)
            if !devices[device].open.isEmpty {
                judge(devices[device], next: line, facts, &report)
                report.test()
            }
        }
        devices[device].launchedLine = line
        devices[device].spokenLine = 0
    }

    private func judge(
        _ device: Device, next: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        guard device.launchedLine != 0, device.spokenLine != 0 else { return }
        for mark in device.open.marks where mark.line < device.launchedLine {
            let (entry, presented) = (mark.key.entry, mark.line)
            if let reason = facts.incompleteReason(after: presented) {
                report.cannotTell("whether an unfinished entry was presented again: \(reason)")
                continue
            }
            let account: AccountID<Interned>?
            let name: String, key: String, words: String
            switch entry {
            case .transaction(let transaction):
                account = facts.owner(of: transaction)
                key = facts.text(transaction)
                name = "transaction \(key)"
                words = facts.describe(transaction)
            case .payment(let payment):
                account = facts[payment].account
                key = facts.names.text(of: payment)
                name = "the failed payment \(key)"
                words = "the failed \(facts.describe(payment))"
            }
            report.find(
                at: device.launchedLine, facts, account: account, key: key,
                "\(name) is unfinished, and was not presented again after this launch: "
                    + "expected the queue to present it",
                notes: [
                    Finding.Note(line: presented, message: "let \(words) be presented"),
                    Finding.Note(
                        line: device.spokenLine,
                        message: "then the queue reported events after the launch"),
                    Finding.Note(
                        line: next, message: "then the app was launched again, without it"),
                ],
                hint: "look at whether the app finished it without a record, or heard it and "
                    + "dropped it: its buyer may still wait")
        }
    }
}
