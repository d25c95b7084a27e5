/// The kind of a diagnostic; its raw value is stable and kebab-case (event-log.md, 5).
public enum DiagnosticCode: String, BitwiseCopyable, CaseIterable, Hashable, Sendable {
    /// The line isn't UTF-8.
    case notUTF8 = "not-utf8"
    /// The line isn't JSON.
    case notJSON = "not-json"
    /// The line is JSON, but not an object.
    case notAnObject = "not-an-object"
    /// An object in the line has the same key twice.
    case duplicateKey = "duplicate-key"
    /// The line lacks a key that its type requires.
    case missingKey = "missing-key"
    /// A value has the wrong JSON kind: a number, say, where the key takes a string.
    case wrongKind = "wrong-kind"
    /// A time isn't in the format of RFC 3339, or names an instant that doesn't exist.
    case badTime = "bad-time"
    /// A number or a text is outside the range of its key.
    case outOfRange = "out-of-range"
    /// The line is longer than 64 KiB.
    case lineTooLong = "line-too-long"
    /// The format has no event type of this name.
    case unknownType = "unknown-type"
    /// A word isn't in the closed list of its key.
    case unknownValue = "unknown-value"
    /// The last line has no newline and isn't an event, as after a crash.
    case tornTail = "torn-tail"
    /// The log declares a later version of the format.
    case newerSchema = "newer-schema"
    /// The line has a key that its type doesn't define; readers ignore the key.
    case unknownKey = "unknown-key"
    /// The log begins with a byte order mark; readers ignore the mark.
    case byteOrderMark = "byte-order-mark"
    /// The line ends in a carriage return; readers ignore the carriage return.
    case carriageReturn = "carriage-return"
    /// The last line is an event, but has no newline.
    case noFinalNewline = "no-final-newline"
    /// The line is blank.
    case blankLine = "blank-line"
    /// The log doesn't begin with `log.opened`.
    case notOpened = "not-opened"

    /// The severity of the code: `error` means that the line wasn't understood.
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

/// The severity of a finding or a diagnostic.
public enum Level: String, BitwiseCopyable, CaseIterable, Hashable, Sendable {
    /// Worth knowing, but not necessarily wrong.
    case note
    /// Wrong, or about to go wrong, but nobody has lost anything yet.
    case warning
    /// A rule of this level is violated, or a line wasn't understood.
    case error

    /// The rank by severity; 0 is the most severe.
    package var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .note: 2
        }
    }
}

/// A problem in one line or a note on it: the place, what was seen, and what was expected.
public struct Diagnostic: Error, Hashable, Sendable {
    /// The kind of problem.
    public var code: DiagnosticCode
    /// The position of the problem in the line, in bytes counted from 1.
    public var byte: Int
    /// What was seen and what was expected, with control characters escaped.
    public var message: String

    /// Creates a diagnostic at a byte of a line, counted from 1.
    public init(_ code: DiagnosticCode, byte: Int, _ message: String) {
        self.code = code
        self.byte = byte
        self.message = message
    }
}
