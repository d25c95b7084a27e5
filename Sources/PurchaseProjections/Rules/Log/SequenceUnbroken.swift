import PurchaseEvents

/// Positions follow each other without a gap (event-log.md, 2).
///
/// A line that was not understood counts as one position, a blank one as none. After a gap the
/// rule goes on from the position that it found.
struct SequenceUnbroken: Rule {
    static let id = "sequence-unbroken"
    static let level = Level.error
    static let statement =
        "The seq of a line is one more than that of the line before, a line that was not "
        + "understood counting as one; the first is 1, save in a log that starts in the middle."
    static let evidence = ["format"]
    static let reads = EventTypes.all

    private var previous: Int64?
    private var previousLine: LineNumber = 0
    /// The lines since then that were not understood.
    private var notUnderstood: Int64 = 0

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        report.test()
        let step = notUnderstood &+ 1
        let expected = previous.map { saturatingSum($0, step) } ?? step
        if event.seq != expected { judge(event, on: line, expected, facts, &report) }
        previous = event.seq
        previousLine = line.number
        notUnderstood = 0
    }

    mutating func observeNotUnderstood(
        _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        notUnderstood &+= 1
    }

    private func judge(
        _ event: Event<Interned>, on line: Line, _ expected: Int64, _ facts: Facts,
        _ report: inout Report
    ) {
        guard let previous else {
            // Lines before the opening may be no part of the log.
            if facts.startsInTheMiddle || event.seq == 1 { return }
            return report.find(
                event, on: line, facts, key: nil,
                "the log begins with seq \(event.seq): expected \(expected)",
                hint: "the beginning of the log is missing: look for the file that it continues")
        }
        let hint =
            event.seq > expected
            ? "what the missing lines said is unknown to every rule: look for another copy of the "
                + "log"
            : "two writers, or two logs in one: look at which of them the lines belong to"
        report.find(
            event, on: line, facts, key: nil,
            "seq \(event.seq) comes after seq \(previous): expected \(expected)",
            notes: [
                Finding.Note(
                    line: previousLine, message: "let the line before have seq \(previous)")
            ],
            hint: hint)
    }
}
