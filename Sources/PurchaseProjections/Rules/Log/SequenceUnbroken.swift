import PurchaseEvents

/// Sequence numbers have no gap (event-log.md, 2).
///
/// A line that was not understood counts as one position, a blank line as none. After a gap, the
/// rule continues from the number found.
struct SequenceUnbroken: LineRule {
    static let level = Level.error
    static let statement =
        "The seq of a line is one more than that of the line before, a line that was not "
        + "understood counting as one; the first is 1, except in a log that starts in the middle."
    static let evidence = ["format"]
    static let scope = RuleScope.whole

    private var previous: Int64?
    private var previousLine: LineNumber = 0
    /// The number of lines since the previous event that were not understood.
    private var notUnderstood: Int64 = 0

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&previous).visit(&previousLine).visit(&notUnderstood)
    }

    @inline(__always)
    mutating func observe(
        _ event: LogEvent, at line: LineNumber, _ names: NameTable, _ report: inout Report
    ) {
        report.test()
        let step = notUnderstood &+ 1
        let expected = previous.map { $0.addingSaturating(step) } ?? step
        // Lines before the first event may not belong to the log.
        if event.seq != expected, previous != nil || event.type == .logOpened {
            judge(event.seq, event.account, line, expected, names, &report)
        }
        previous = event.seq
        previousLine = line
        notUnderstood = 0
    }

    mutating func observeNotUnderstood(_ line: LineNumber) { notUnderstood &+= 1 }

    @inline(never)
    private func judge(
        _ seq: Int64, _ account: AccountHandle?, _ line: LineNumber, _ expected: Int64,
        _ names: NameTable, _ report: inout Report
    ) {
        guard let previous else {
            // A line that was not understood, before the opening, may not belong to the log.
            if seq == 1 { return }
            return report.find(
                seq, at: line, names, account: account, key: nil,
                "the log begins with seq \(seq): expected \(expected)",
                hint: "the beginning of the log is missing: look for the file that it continues")
        }
        let hint =
            seq > expected
            ? "what the missing lines said is unknown to every rule: look for another copy of the "
                + "log"
            : "two writers, or two logs in one: look at which of them the lines belong to"
        report.find(
            seq, at: line, names, account: account, key: nil,
            "seq \(seq) comes after seq \(previous): expected \(expected)",
            notes: Finding.note(previousLine, "let the previous line have seq \(previous)"),
            hint: hint)
    }
}
