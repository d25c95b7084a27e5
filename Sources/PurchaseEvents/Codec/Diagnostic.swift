/// What can be said of a line beside the event that it is (event-log.md, 5): stable, kebab-case.
public enum DiagnosticCode: String, CaseIterable, Hashable, Sendable {
    case notUTF8 = "not-utf8"
    case notJSON = "not-json"
    case notAnObject = "not-an-object"
    case duplicateKey = "duplicate-key"
    case missingKey = "missing-key"
    case wrongKind = "wrong-kind"
    case badTime = "bad-time"
    case outOfRange = "out-of-range"
    case lineTooLong = "line-too-long"
    case unknownType = "unknown-type"
    case unknownValue = "unknown-value"
    case tornTail = "torn-tail"
    case newerSchema = "newer-schema"
    case unknownKey = "unknown-key"
    case byteOrderMark = "byte-order-mark"
    case carriageReturn = "carriage-return"
    case noFinalNewline = "no-final-newline"
    case blankLine = "blank-line"
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
    case note, warning, error
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
