import PurchaseEvents

/// One edit of a log.
///
/// Line numbers count from 1 in the original log, whatever other edits do.
public enum LogEdit: Hashable, Sendable {
    /// Drops a range of lines.
    case drop(ClosedRange<Int>)
    /// Sets a key of a line to a value, given as text; an empty text removes the key.
    case set(line: Int, key: String, value: String)
    /// Inserts a new line, a JSON object, before a line; a number one above the last line means the
    /// end.
    ///
    /// The line needs no `seq`. Without `at`, it gets the time of the event before its place, or of
    /// the log's first event if there is none before.
    case insert(before: Int, json: String)
    /// Moves a line before another one; a number one above the last line means the end.
    case move(line: Int, before: Int)
}

/// The reason why edits are refused.
public struct EditProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of problems.
    public enum Kind: Hashable, Sendable {
        /// Two edits contradict each other.
        case conflict
        /// A line or a key doesn't exist.
        case notThere
        /// The result isn't a valid line of the format.
        case notALine
    }

    /// The kind of problem.
    public let kind: Kind
    /// The message: what was seen and what was expected, with control characters escaped.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        (self.kind, self.description) = (kind, description)
    }

    static func notALine(_ words: String, _ diagnostic: Diagnostic) -> EditProblem {
        EditProblem(
            .notALine,
            "\(words): [\(diagnostic.code.rawValue)] byte \(diagnostic.byte): "
                + diagnostic.message)
    }
}
