import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// A finding or a diagnostic, with its place in the input files.
struct Remark: Hashable, Sendable {
    /// The rule's id, or the diagnostic's code.
    var code: String
    var isDiagnostic: Bool
    var level: Level
    var path: String
    var line: Int
    var byte: Int?
    /// The `seq`, account and key of a finding.
    var seq: Int64?
    var account: String?
    var key: String?
    var message: String
    var notes: [Note] = []
    var hint: String?
    var stake = Stake()

    /// A line of the proof.
    struct Note: Hashable, Sendable {
        var path: String
        var line: Int
        var message: String
    }

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

    init(_ diagnostic: Diagnostic, on number: Int, _ places: LinePlaces) {
        code = diagnostic.code.rawValue
        isDiagnostic = true
        level = diagnostic.code.level
        (path, line) = places.place(of: number)
        byte = diagnostic.byte
        message = diagnostic.message
    }
}

/// An output format for remarks and verdicts.
protocol RemarkWriter {
    func begin(_ output: Output) throws(ToolError)
    func write(_ remark: Remark, to output: Output) throws(ToolError)
    /// Writes the verdicts of the rules that ran, for `--verbose`.
    func write(_ tallies: [RuleTally], to output: Output) throws(ToolError)
    func end(_ output: Output) throws(ToolError)
}

extension RemarkWriter {
    func begin(_ output: Output) throws(ToolError) {}
    func write(_ tallies: [RuleTally], to output: Output) throws(ToolError) {}
    func end(_ output: Output) throws(ToolError) {}
}
