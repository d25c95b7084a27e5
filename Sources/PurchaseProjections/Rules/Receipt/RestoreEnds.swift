import PurchaseEvents

/// A restore ends exactly once, completed or failed, and restored transactions arrive within it
/// (G4.6).
///
/// A request stays open until its end, even across a launch. A request still open at the next
/// request never ended. A request that is open at the end of the log is a note, because it may
/// still end, unless the app was launched since.
struct RestoreEnds: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "Each restore that is requested ends once, completed or failed, before the next one on "
        + "that device; no restored transaction comes outside one, except when presented again."
    static let evidence = ["G4.6", "I6"]
    static let reads = EventTypes(
        .restoreRequested, .restoreCompleted, .restoreFailed, .queueRestored)

    private struct Device {
        /// The line of the open request; 0 if none is open.
        var requestedLine: LineNumber = 0
        var account: AccountHandle?
        var endedLine: LineNumber = 0
        var device: DeviceHandle?
    }

    private var devices = DenseTable(Device())

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&devices) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        let index = Facts.index(of: event.device)
        let device = devices[index]
        if event.type == .restoreRequested {
            report.test()
            if device.requestedLine != 0 {
                findOpen(device, nil, next: line.number, facts, &report)
            }
            devices[index].requestedLine = line.number
            devices[index].account = event.account
            devices[index].device = event.device
        } else if event.type == .queueRestored, case .queueRestored(let restored) = event.fact {
            guard device.requestedLine == 0,
                facts[restored.transaction].restoredLine == line.number
            else { return }
            findOutside(restored, event, line, device, facts, &report)
        } else {
            if device.requestedLine == 0 { findEnd(event, line, device, facts, &report) }
            devices[index].requestedLine = 0
            devices[index].endedLine = line.number
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        let open = devices.indices.map { devices[$0] }.filter { $0.requestedLine != 0 }
        for device in open.sorted(by: { $0.requestedLine < $1.requestedLine }) {
            let launched = facts[device.device].launchedLine
            let isOver = launched > device.requestedLine
            findOpen(device, isOver ? nil : .note, next: isOver ? launched : 0, facts, &report)
        }
    }

    private func findOpen(
        _ device: Device, _ level: Level?, next: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        if let reason = facts.incompleteReason(after: device.requestedLine) {
            return report.cannotTell("whether a restore ended: \(reason)")
        }
        let note = Finding.Note(
            line: next, message: "then this came on the same device, while the restore was open")
        report.find(
            at: device.requestedLine, facts, level: level, account: device.account, key: nil,
            "a restore\(facts.ownerSuffix(device.account)) was requested and never ended: expected "
                + "restore.completed or restore.failed",
            notes: next == 0 ? [] : [note],
            hint: "look at whether the app ended meanwhile: its user saw no result")
    }

    private func findOutside(
        _ restored: QueueRestored<Interned>, _ event: LogEvent, _ line: Line,
        _ device: Device, _ facts: Facts, _ report: inout Report
    ) {
        if let reason = facts.incompleteReason {
            return report.cannotTell("whether a restore was requested: \(reason)")
        }
        report.test()
        let name = facts.text(restored.transaction)
        let note = Finding.Note(
            line: device.endedLine, message: "let the latest restore on the device end")
        report.find(
            event, on: line, facts, account: facts.owner(of: restored.transaction), key: name,
            "\(facts.describe(restored.transaction)) was restored outside a restore: expected "
                + "restore.requested before it",
            notes: device.endedLine == 0 ? [] : [note],
            hint: "look at whether the app restores without a record, or mistook a presented "
                + "purchase for a restore")
    }

    private func findEnd(
        _ event: LogEvent, _ line: Line, _ device: Device, _ facts: Facts, _ report: inout Report
    ) {
        let reason =
            device.endedLine == 0
            ? facts.incompleteReason : facts.incompleteReason(after: device.endedLine)
        if let reason { return report.cannotTell("whether a restore was requested: \(reason)") }
        report.test()
        let note = Finding.Note(
            line: device.endedLine, message: "let the latest restore on the device end")
        report.find(
            event, on: line, facts, key: nil,
            "\(event.type.wireName)\(facts.ownerSuffix(event.account)) ends no restore: expected "
                + "restore.requested before it, and one end for each",
            notes: device.endedLine == 0 ? [] : [note],
            hint: "look at whether two observers hear the end of one restore")
    }
}
