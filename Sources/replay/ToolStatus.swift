/// What the tool answers to the shell.
enum ToolStatus: Int32, CaseIterable {
    case well = 0
    case violated = 1
    case undetermined = 2
    case usage = 64
    case noInput = 66
    case ioFailed = 74

    /// What it means, for the help.
    var meaning: String {
        switch self {
        case .well: "all is well"
        case .violated:
            "a rule is violated at error level (with --strict also at warning level), or a log is "
                + "damaged or rolled back"
        case .undetermined:
            "a line was not understood, a rule could not be decided, or a log is torn or unchained"
        case .usage: "the arguments are wrong"
        case .noInput: "there is no such input, or it may not be read"
        case .ioFailed: "reading or writing failed"
        }
    }
}

/// Why the tool gives up.
struct ToolError: Error, Hashable {
    /// The exit status that it ends with.
    var status: ToolStatus
    /// What was seen, and what was expected where that helps; escaped.
    var message: String

    /// Something that isn't there or may not be read.
    static func noInput(_ message: String) -> ToolError {
        ToolError(status: .noInput, message: message)
    }

    /// A read or a write that failed.
    static func ioFailed(_ message: String) -> ToolError {
        ToolError(status: .ioFailed, message: message)
    }
}
