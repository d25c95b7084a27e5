import PurchaseEvents

enum ToolStatus: Int32, CaseIterable {
    case well = 0
    case violated = 1
    case undetermined = 2
    case usage = 64
    case noInput = 66
    case ioFailed = 74

    var meaning: String {
        switch self {
        case .well: "success: nothing is wrong"
        case .violated:
            "something is wrong: a finding is an error (with --strict also a warning), or a log is "
                + "damaged or rolled back"
        case .undetermined:
            "something could not be decided: a line was not understood, an input is not a log, a "
                + "rule is undetermined, or a log is torn or unchained"
        case .usage: "the arguments are wrong"
        case .noInput: "an input doesn't exist or can't be read"
        case .ioFailed: "reading or writing failed"
        }
    }
}

struct ToolError: Error, Hashable {
    var status: ToolStatus
    /// What was seen and, if helpful, what was expected; escaped for a terminal.
    var message: String

    static func noInput(_ message: String) -> ToolError {
        ToolError(status: .noInput, message: message)
    }

    static func undetermined(_ message: String) -> ToolError {
        ToolError(status: .undetermined, message: message)
    }

    static func ioFailed(_ message: String) -> ToolError {
        ToolError(status: .ioFailed, message: message)
    }

    /// What the tool asks the system to do with a file.
    enum Access: String { case read, open, write }

    /// The system's answer about a file; a problem becomes "cannot read `path`: …".
    static func asking<Answer>(
        to access: Access, _ path: String, _ answer: @autoclosure () throws(SystemProblem) -> Answer
    ) throws(ToolError) -> Answer {
        do throws(SystemProblem) {
            return try answer()
        } catch {
            throw ToolError(
                status: access == .write ? .ioFailed : .noInput,
                message: "cannot \(access.rawValue) `\(path.escaped)`: \(error.words)")
        }
    }

    /// Runs a closure that reads a file; a problem of the reading becomes "cannot read `path`: …".
    static func reading(_ path: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let problem as ReadProblem {
            throw cannotRead(path, problem)
        }
    }

    /// The error of a file that was opened and can't be read on.
    static func cannotRead(_ path: String, _ problem: ReadProblem) -> ToolError {
        .ioFailed("cannot read `\(path.escaped)`: \(problem)")
    }
}
