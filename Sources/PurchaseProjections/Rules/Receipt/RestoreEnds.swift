import PurchaseEvents

/// A restore ends exactly once, completed or failed, and restored transactions arrive within it
/// (G4.6).
///
/// A request stays open until its end, even across a launch. Several may be open at once, as after
/// a double tap; an end is that of the latest. A request still open at the first request after a
/// launch never ended. A request that is open at the end of the log is a note, because it may still
/// end, unless the app was launched since.
struct RestoreEnds: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "Each restore that is requested ends once, completed or failed, before the first one that "
        + "is requested after the next launch of that device; no restored transaction comes "
        + "outside one, except when presented again."
    static let evidence = ["G4.6", "I6"]
    static let reads = EventTypes(
        .restoreRequested, .restoreCompleted, .restoreFailed, .queueRestored)

    /// The most requests of a device that are kept open: of more, the first never ended.
    private static let mostOpen = 16

    private struct Request: BitwiseCopyable {
        var line: LineNumber
        var account: AccountHandle?
    }

    private struct Device: Snapshotted {
        /// The open requests, by line.
        var open = InlineList<Request>()
        var endedLine: LineNumber = 0
        var device: DeviceHandle?

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&open).visit(&endedLine).visit(&device)
        }
    }

    private var devices = DenseTable(Device())

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&devices) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        let index = Facts.index(of: event.device)
        if event.type == .restoreRequested {
            report.test()
            request(event, index, line.number, facts, &report)
        } else if event.type == .queueRestored, case .queueRestored(let restored) = event.fact {
            let device = devices[index]
            guard device.open.isEmpty, facts[restored.transaction].restoredLine == line.number
            else { return }
            findOutside(restored, event, line, device, facts, &report)
        } else {
            if devices[index].open.isEmpty { findEnd(event, line, devices[index], facts, &report) }
            devices[index].open.cut(to: max(devices[index].open.count, 1) - 1)
            devices[index].endedLine = line.number
        }
    }

    private mutating func request(
        _ event: LogEvent, _ index: Int, _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        let open = devices[index].open
        let launched = facts[event.device].launchedLine
        let isFull = open.count == RestoreEnds.mostOpen
        let over = open.enumerated().filter { place, request in
            request.line < launched || isFull && place == 0
        }.map(\.element)
        for request in over {
            let level: Level? = request.line < launched ? nil : .note
            findOpen(request, level, next: line, facts, &report)
        }
        if !over.isEmpty { devices[index].open = InlineList(Array(open.dropFirst(over.count))) }
        devices[index].open.append(Request(line: line, account: event.account))
        devices[index].device = event.device
    }

    mutating func finish(facts: Facts, report: inout Report) {
        let open = devices.indices.flatMap { index in
            devices[index].open.map { (device: devices[index], request: $0) }
        }
        for (device, request) in open.sorted(by: { $0.request.line < $1.request.line }) {
            let launched = facts[device.device].launchedLine
            let latest = max(launched, device.endedLine)
            findOpen(
                request, request.line < launched ? nil : .note,
                next: latest > request.line ? latest : 0, facts, &report)
        }
    }

    private func findOpen(
        _ request: Request, _ level: Level?, next: LineNumber, _ facts: Facts,
        _ report: inout Report
    ) {
        if let reason = facts.incompleteReason(after: request.line) {
            return report.cannotTell("whether a restore ended: \(reason)")
        }
        report.find(
            at: request.line, facts, level: level, account: request.account, key: nil,
            "a restore\(facts.ownerSuffix(request.account)) was requested and never ended: "
                + "expected restore.completed or restore.failed",
            notes: Finding.note(
                next, "then this came on the same device, while the restore was open"),
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
        report.find(
            event, on: line, facts, account: facts.owner(of: restored.transaction), key: name,
            "\(facts.describe(restored.transaction)) was restored outside a restore: expected "
                + "restore.requested before it",
            notes: Finding.note(device.endedLine, "let the latest restore on the device end"),
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
        report.find(
            event, on: line, facts, key: nil,
            "\(event.type.wireName)\(facts.ownerSuffix(event.account)) ends no restore: expected "
                + "restore.requested before it, and one end for each",
            notes: Finding.note(device.endedLine, "let the latest restore on the device end"),
            hint: "look at whether two observers hear the end of one restore")
    }
}
