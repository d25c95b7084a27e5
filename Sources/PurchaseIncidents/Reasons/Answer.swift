import PurchaseEvents
import PurchaseProjections

/// What a log answers to a question.
public struct Answer: Hashable, Sendable {
    /// The row that answers; `nil` if there is none. Of several rows this is one that says yes,
    /// otherwise the last in the order of the projection.
    public let row: ShownRow?
    /// The number of rows that answer the question.
    public let rowCount: Int
    /// The finding that the question is about, with the lines of the whole log.
    public let finding: Finding?

    init(rows: [ShownRow]) {
        row = rows.first { !$0.isNo } ?? rows.last
        rowCount = rows.count
        finding = nil
    }

    init(finding: Finding?) {
        row = nil
        rowCount = 0
        self.finding = finding
    }

    /// Whether the answer is no: nothing active, nothing pending, nothing restored, no finding.
    public var isNo: Bool { finding == nil && row?.isNo ?? true }

    /// Whether two answers say the same: equal rows, or the same finding of the same line.
    public func isSame(as other: Answer) -> Bool {
        guard let finding, let second = other.finding else {
            return row == other.row && (self.finding == nil) == (other.finding == nil)
        }
        return finding.line == second.line && finding.level == second.level
            && finding.key == second.key && finding.account == second.account
            && finding.message == second.message
    }
}

/// Answers one question from any of a log's lines, as of one instant.
struct Asking {
    let question: Question
    /// The instant that the user gave; `nil` if rows are as of the greatest `at`.
    let given: Timestamp?
    /// The instant of the rows: that of the whole log, whatever lines are asked.
    let instant: Timestamp
    /// The rule of a question about a finding.
    let rule: (any Rule.Type)?
    /// The finding to look for: with several at one line, the first.
    var wanted: Finding?

    /// The answer of some lines.
    ///
    /// - Parameter number: The number in the whole log of a line, both counted from 1.
    func answer(_ lines: LogLines, number: (Int) -> Int = { $0 }) throws -> Answer {
        guard let rule else {
            guard let projection = question.projection else { return Answer(rows: []) }
            let show = try lines.show([projection], asOf: given)
            return Answer(rows: question.rows(show, asOf: instant))
        }
        guard case .finding(let line, _) = question else { return Answer(finding: nil) }
        let found = try lines.findings([rule]).compactMap { finding -> Finding? in
            var finding = finding
            finding.line = LineNumber(number(Int(finding.line)))
            finding.notes = finding.notes.map { note in
                Finding.Note(line: LineNumber(number(Int(note.line))), message: note.message)
            }
            return finding.line == line ? finding : nil
        }
        let same = wanted.flatMap { wanted in
            found.first { Answer(finding: $0).isSame(as: Answer(finding: wanted)) }
        }
        return Answer(finding: same ?? found.first)
    }
}
