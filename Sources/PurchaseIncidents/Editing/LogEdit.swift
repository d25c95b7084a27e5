import PurchaseEvents

/// One edit of a log. Lines are those of the original, counted from 1, whatever else is edited.
public enum LogEdit: Hashable, Sendable {
    /// Leaves out the lines of a range.
    case drop(ClosedRange<Int>)
    /// Gives a key of a line another value, as text; an empty text removes the key.
    case set(line: Int, key: String, value: String)
    /// Puts a new line, a JSON object, before a line; one more than the last line means the end.
    ///
    /// `seq` is not needed. Without `at` the line has that of the event before its place, or of the
    /// first event where there is none before.
    case insert(before: Int, json: String)
    /// Puts a line before another line; one more than the last line means the end.
    case move(line: Int, before: Int)
}

/// Why edits are refused.
public struct EditProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of problems.
    public enum Kind: Hashable, Sendable {
        /// Two edits exclude each other.
        case conflict
        /// A line or a key is not there.
        case notThere
        /// The result is no line of the format.
        case notALine
    }

    /// What kind of problem it is.
    public let kind: Kind
    /// What was seen and what was expected, with control characters escaped.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// A line that the format doesn't allow.
    static func notALine(_ words: String, _ diagnostic: Diagnostic) -> EditProblem {
        EditProblem(
            .notALine,
            "\(words): [\(diagnostic.code.rawValue)] byte \(diagnostic.byte): "
                + diagnostic.message)
    }
}
