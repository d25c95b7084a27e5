/// What can be said of a line beside the event that it is (event-log.md, 5): stable, kebab-case.
public enum DiagnosticCode: String, CaseIterable, Hashable, Sendable {
    /// The line isn't UTF-8.
    case notUTF8 = "not-utf8"
    /// The line is no JSON.
    case notJSON = "not-json"
    /// It is JSON, but no object.
    case notAnObject = "not-an-object"
    /// A key stands in it twice.
    case duplicateKey = "duplicate-key"
    /// A key that its type must have is missing.
    case missingKey = "missing-key"
    /// A value is of another kind than its key asks for: a number where a text must be.
    case wrongKind = "wrong-kind"
    /// A time isn't written as one, or there is no such time.
    case badTime = "bad-time"
    /// A number or a text is smaller or greater than its key allows.
    case outOfRange = "out-of-range"
    /// The line is longer than 64 KiB.
    case lineTooLong = "line-too-long"
    /// The format has no such type of event.
    case unknownType = "unknown-type"
    /// A word isn't in the closed list of its key.
    case unknownValue = "unknown-value"
    /// The last line has no end and is no event: what a crash leaves.
    case tornTail = "torn-tail"
    /// The log says that it is of a later version of the format.
    case newerSchema = "newer-schema"
    /// A key that the format doesn't have; it is passed over.
    case unknownKey = "unknown-key"
    /// The log begins with a byte order mark; it is passed over.
    case byteOrderMark = "byte-order-mark"
    /// The line ends in a carriage return; it is passed over.
    case carriageReturn = "carriage-return"
    /// The last line is an event, but has no end.
    case noFinalNewline = "no-final-newline"
    /// The line is blank.
    case blankLine = "blank-line"
    /// The log doesn't begin with `log.opened`.
    case notOpened = "not-opened"

    /// How grave it is: an error is a line that was not understood.
    public var level: Level {
        switch self {
        case .notUTF8, .notJSON, .notAnObject, .duplicateKey, .missingKey, .wrongKind, .badTime,
            .outOfRange, .lineTooLong, .unknownType, .unknownValue, .tornTail, .newerSchema:
            .error
        case .notOpened: .warning
        case .unknownKey, .byteOrderMark, .carriageReturn, .noFinalNewline, .blankLine: .note
        }
    }
}

/// How grave a finding or a diagnostic is.
public enum Level: String, CaseIterable, Hashable, Sendable {
    /// Worth knowing; nothing is wrong for certain.
    case note
    /// Wrong, or soon to be, though nobody lost anything by it yet.
    case warning
    /// A rule is broken, or a line was not understood.
    case error
}

/// A diagnostic: what is wrong with a line, where in it, and what was seen and expected.
public struct Diagnostic: Error, Hashable, Sendable {
    /// What it is.
    public var code: DiagnosticCode
    /// The byte of the line at which it was seen, counted from 1.
    public var byte: Int
    /// What was seen and what was expected; control characters are escaped.
    public var message: String

    /// A diagnostic at a byte of a line.
    public init(_ code: DiagnosticCode, byte: Int, _ message: String) {
        self.code = code
        self.byte = byte
        self.message = message
    }
}
