import PurchaseEvents
import PurchaseProjections

/// The log's answer to a question.
public struct Answer: Hashable, Sendable {
    /// The row that answers the question; `nil` if there is none.
    ///
    /// Of several rows, the first one that says yes; if none does, the last one.
    public let row: ShownRow?
    /// The number of rows that answer the question.
    public let rowCount: Int
    /// The finding in question, with the line numbers of the whole log.
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

    /// Whether two answers agree: equal rows, or the same finding at the same line.
    public func isSame(as other: Answer) -> Bool {
        guard let finding, let second = other.finding else {
            return row == other.row && (self.finding == nil) == (other.finding == nil)
        }
        return finding.line == second.line && finding.level == second.level
            && finding.key == second.key && finding.account == second.account
            && finding.message == second.message
    }
}

/// Answers one question from any selection of a log's lines, at one instant.
struct Answerer {
    let question: Question
    /// The instant that the user gave; `nil` if rows are as of the greatest `at`.
    let requestedInstant: Timestamp?
    /// The instant of the rows: the whole log's instant, even for a selection of lines.
    let instant: Timestamp
    let rule: (any Rule.Type)?
    /// The finding to prefer if the rule has several at the line; `nil` means the first.
    var wanted: Finding?

    /// The answer that a selection of lines gives; `number` maps a line number to that in the whole
    /// log, both counted from 1.
    func answer(_ lines: LogLines, number: (Int) -> Int = { $0 }) throws -> Answer {
        guard let rule else {
            guard let projection = question.projection else { return Answer(rows: []) }
            let show = try lines.show([projection], asOf: requestedInstant)
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
