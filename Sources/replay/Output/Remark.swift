import PurchaseEvents
import PurchaseProjections

/// A finding or a diagnostic, placed in the files that were given.
struct Remark: Hashable, Sendable {
    /// The rule's id, or the diagnostic's code.
    var code: String
    /// Whether it is a diagnostic.
    var isDiagnostic: Bool
    var level: Level
    /// Where it is: the file, the line in it, and for a diagnostic the byte of the line.
    var path: String
    var line: Int
    var byte: Int?
    /// The position, the account and the key that a finding names.
    var seq: Int64?
    var account: String?
    var key: String?
    var message: String
    /// The other lines of the proof.
    var notes: [Note] = []
    var hint: String?

    /// A line of the proof.
    struct Note: Hashable, Sendable {
        var path: String
        var line: Int
        var message: String
    }

    /// A finding in the files of its log.
    init(_ finding: Finding, _ places: LinePlaces) {
        code = finding.rule
        isDiagnostic = false
        level = finding.level
        (path, line) = places.place(of: Int(finding.line))
        seq = finding.seq
        account = finding.account
        key = finding.key
        message = finding.message
        notes = finding.notes.map { note in
            let place = places.place(of: Int(note.line))
            return Note(path: place.path, line: place.line, message: note.message)
        }
        hint = finding.hint
    }

    /// A diagnostic on a line of a log.
    init(_ diagnostic: Diagnostic, on number: Int, _ places: LinePlaces) {
        code = diagnostic.code.rawValue
        isDiagnostic = true
        level = diagnostic.code.level
        (path, line) = places.place(of: number)
        byte = diagnostic.byte
        message = diagnostic.message
    }
}

/// A way to print remarks and verdicts.
protocol RemarkWriter {
    /// What comes before the first remark.
    func begin(_ output: Output) throws(ToolError)
    /// A finding or a diagnostic.
    func write(_ remark: Remark, to output: Output) throws(ToolError)
    /// The verdicts of the rules that ran, where they are asked for.
    func write(_ tallies: [RuleTally], to output: Output) throws(ToolError)
    /// What comes after the last.
    func end(_ output: Output) throws(ToolError)
}

extension RemarkWriter {
    func begin(_ output: Output) throws(ToolError) {}
    func write(_ tallies: [RuleTally], to output: Output) throws(ToolError) {}
    func end(_ output: Output) throws(ToolError) {}
}
