import PurchaseEvents

/// A device's clock does not go back by more than five minutes between two lines (event-log.md, 2).
struct ClockGoesForward: LineRule {
    static let level = Level.note
    static let statement =
        "From one line of a device to its next, at does not go back by more than 5 minutes."
    static let evidence = ["format"]
    static let scope = RuleScope.device

    /// The latest line of a device; line 0 means none.
    private struct Latest {
        var at = Timestamp.earliest
        var line: LineNumber = 0

        /// Records a line, and returns the previous one.
        @inline(__always)
        mutating func replace(by at: Timestamp, _ line: LineNumber) -> Latest {
            defer { self = Latest(at: at, line: line) }
            return self
        }
    }

    /// The unnamed device first, then the named devices by handle.
    private var devices = DenseTable(Latest())

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&devices) }

    @inline(__always)
    mutating func observe(
        _ event: LogEvent, at line: LineNumber, _ names: NameTable, _ report: inout Report
    ) {
        report.test()
        let device = Facts.index(of: event.device)
        let before = devices[device].replace(by: event.at, line)
        // Most lines are later than the previous line and need no further check.
        guard event.at < before.at, before.line != 0,
            before.at.distance(to: event.at) < -5 * Timestamp.minute
        else { return }
        let name = event.device.map { "device \(names.text(of: $0))" } ?? "the unnamed device"
        report.find(
            event.seq, at: line, names, account: event.account, key: nil,
            "the clock of \(name) goes back from \(before.at.text) to \(event.at.text): expected "
                + "at most 5 minutes",
            notes: Finding.note(
                before.line, "let the previous line of \(name) be recorded at \(before.at.text)"),
            hint: "a clock can be set: trust the order of the lines, not the times of this device")
    }
}
