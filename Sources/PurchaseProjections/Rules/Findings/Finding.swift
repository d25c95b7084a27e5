import PurchaseEvents

/// A violation of a rule, with its proof: notes that read "let …, then …", and a message that
/// contradicts them.
public struct Finding: Hashable, Sendable {
    /// The rule's id.
    public var rule: String
    /// The severity.
    public var level: Level
    /// The line of the offending event.
    public var line: LineNumber
    /// The `seq` of that event, if known.
    public var seq: Int64?
    /// The affected account, if named.
    public var account: String?
    /// The transaction, payment, original or id at fault.
    public var key: String?
    /// The text that states what was seen and what was expected; lower case, no full stop.
    public var message: String
    /// The other lines of the proof, in reading order.
    public var notes: [Note]
    /// The suggested next check, if the rule has one.
    public var hint: String?

    /// One line of a proof.
    public struct Note: Hashable, Sendable {
        /// The line that the note is about.
        public var line: LineNumber
        /// The text of the note, such as "let transaction 1 be purchased".
        public var message: String

        /// Creates a note on a line.
        public init(line: LineNumber, message: String) {
            self.line = line
            self.message = message
        }
    }
}

extension Finding: CustomStringConvertible {
    /// The finding with its proof and its hint, as `check` prints it, without the log's path.
    public var description: String {
        let first = "\(line): \(level.rawValue): [\(rule)] \(message)"
        let proof = notes.map { "    \($0.line): note: \($0.message)" }
        let lines = [first] + proof + (hint.map { ["    hint: \($0)"] } ?? [])
        return lines.map { EscapedText.escape($0) }.joined(separator: "\n")
    }
}

extension Finding {
    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&rule).visit(&level).visit(&line).visit(&seq).visit(&account).visit(&key)
        visitor.visit(&message)
        visitor.visit(&notes, empty: Note(line: 0, message: "")) { $0.visitFields(visitor) }
        visitor.visit(&hint)
    }

    /// A finding whose fields a snapshot is about to replace.
    static var empty: Finding { Finding(rule: "", level: .note, line: 0, message: "", notes: []) }

    /// A note on a line; none if the line is 0, which stands for no line.
    static func note(_ line: LineNumber, _ message: String) -> [Note] {
        line == 0 ? [] : [Note(line: line, message: message)]
    }
}

extension Finding.Note {
    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&line).visit(&message) }
}
