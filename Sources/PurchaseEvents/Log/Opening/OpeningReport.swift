/// The report of opening a log for writing; every line is counted once.
public struct OpeningReport: Hashable, Sendable {
    /// The number of lines that are events.
    public internal(set) var events: Int64 = 0
    /// The number of lines that weren't understood; each counts in the sequence.
    public internal(set) var notUnderstood: Int64 = 0
    /// The number of blank lines; they don't count in the sequence.
    public internal(set) var blank: Int64 = 0
    /// The first problems, in line order, at most ``problemLimit``.
    public internal(set) var problems: [LogProblem] = []
    /// The number of problems found.
    public internal(set) var problemCount: Int64 = 0
    /// The torn tails that were cut off with ``TornTailPolicy/cut(recordedAt:)``.
    ///
    /// There is more than one only if a crash interrupted an earlier cut.
    public internal(set) var cuts: [CutTail] = []
    /// The torn tail that is still in the log, because the log was only inspected or is also
    /// damaged.
    public internal(set) var tail: LogTail?
    /// The damage that makes the log read-only, or `nil` if there is none.
    public internal(set) var damage: LogProblem?

    /// The maximum number of problems that ``problems`` lists.
    public static let problemLimit = 1_000

    /// Whether every line is an event in its place, without a torn tail or damage.
    public var isSound: Bool { problemCount == 0 && cuts.isEmpty && tail == nil && damage == nil }

    mutating func note(_ problem: LogProblem) {
        problemCount += 1
        if problems.count < OpeningReport.problemLimit { problems.append(problem) }
    }

    /// Notes a problem of the first line that a later line revealed.
    mutating func noteFirst(_ problem: LogProblem) {
        problemCount += 1
        if problems.count == OpeningReport.problemLimit { problems.removeLast() }
        problems.insert(problem, at: 0)
    }
}

/// A problem in a log: something that a correct writer doesn't leave.
public struct LogProblem: Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public enum Kind: Hashable, Sendable {
        /// A line isn't understood or is blank, or the first line isn't `log.opened`.
        case diagnostic(Diagnostic)
        /// An event's `seq` isn't the one expected at its place.
        case sequence(expected: Int64, seen: Int64)
        /// A line doesn't continue the log's chain.
        case chain(ChainBreak)
        /// The log has fewer bytes than were known to be on the disk.
        case missing(expected: Int64, seen: Int64)
    }

    /// The position where the line starts.
    public let position: LogPosition
    /// The kind of problem, with its details.
    public let kind: Kind

    /// The line, what was expected and what was seen.
    public var description: String {
        switch kind {
        case .diagnostic(let diagnostic):
            "line \(position.line), byte \(diagnostic.byte): [\(diagnostic.code.rawValue)] "
                + diagnostic.message
        case .sequence(let expected, let seen):
            "line \(position.line): expected seq \(expected), seen \(seen)"
        case .chain(let seen): "line \(position.line): \(seen)"
        case .missing(let expected, let seen):
            "line \(position.line): expected at least the \(expected) bytes known to be on "
                + "the disk, seen \(seen)"
        }
    }
}

/// The policy for a torn tail when a log is opened.
public enum TornTailPolicy: Hashable, Sendable {
    /// Opening throws ``EventLogError/tornTail(path:_:)`` and changes nothing.
    case refuse
    /// Opening copies the tail to a file beside the log, cuts it off, and appends a `log.recovered`
    /// recorded at this time; the report lists the cut.
    case cut(recordedAt: Timestamp)
}

/// A torn tail that was cut off a log.
public struct CutTail: Hashable, Sendable {
    /// The bytes that were cut off.
    public let tail: LogTail
    /// The path of the file beside the log that now holds the bytes.
    public let path: String
    /// The SHA-256 of the bytes, as 64 lower-case hex digits.
    public let sha256: String
}
