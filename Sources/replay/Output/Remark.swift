import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// A finding of a rule or a diagnostic on a line, with its place in the files that were given.
struct Remark: Hashable, Sendable {
    /// The rule's id, or the diagnostic's code.
    var code: String
    /// Whether the remark is a diagnostic, rather than a finding.
    var isDiagnostic: Bool
    var level: Level
    /// The place: the file, the line in the file, and for a diagnostic the byte in the line.
    var path: String
    var line: Int
    var byte: Int?
    /// The `seq`, the account and the key that a finding names.
    var seq: Int64?
    var account: String?
    var key: String?
    var message: String
    /// The other lines of the proof that a finding is.
    var notes: [Note] = []
    var hint: String?
    /// The money that a finding puts at stake.
    var stake = Stake()

    /// A line of the proof.
    struct Note: Hashable, Sendable {
        var path: String
        var line: Int
        var message: String
    }

    /// A finding, placed in the files of its log.
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

    /// A diagnostic on a line of the log, placed in the files of the log.
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
    /// Writes what comes before the first remark.
    func begin(_ output: Output) throws(ToolError)
    /// Writes a finding or a diagnostic.
    func write(_ remark: Remark, to output: Output) throws(ToolError)
    /// Writes the verdicts of the rules that ran, for `--verbose`.
    func write(_ tallies: [RuleTally], to output: Output) throws(ToolError)
    /// Writes what comes after the last remark.
    func end(_ output: Output) throws(ToolError)
}

extension RemarkWriter {
    func begin(_ output: Output) throws(ToolError) {}
    func write(_ tallies: [RuleTally], to output: Output) throws(ToolError) {}
    func end(_ output: Output) throws(ToolError) {}
}
