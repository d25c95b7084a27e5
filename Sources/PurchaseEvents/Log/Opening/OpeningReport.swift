/// What was found when a log was opened for writing; every line is counted once.
public struct OpeningReport: Hashable, Sendable {
    /// The lines that are events.
    public internal(set) var events: Int64 = 0
    /// The lines that were not understood; each counts as one in the sequence.
    public internal(set) var notUnderstood: Int64 = 0
    /// The lines without anything in them; they don't count in the sequence.
    public internal(set) var blank: Int64 = 0
    /// The first 1,000 problems, in the order of the lines.
    public internal(set) var problems: [LogProblem] = []
    /// How many problems there are.
    public internal(set) var problemCount: Int64 = 0
    /// The torn tails that were cut off, where there were any and it was asked for: one, or more
    /// where a crash came while an earlier one was being cut.
    public internal(set) var cuts: [CutTail] = []
    /// The torn tail that is still there: where a log was looked at without opening it, or where
    /// it is damaged too.
    public internal(set) var tail: LogTail?
    /// What is damaged so that the log is open for reading alone; `nil` where nothing is.
    public internal(set) var damage: LogProblem?

    /// How many problems are kept.
    public static let problemLimit = 1_000

    /// Whether every line is an event in its place and nothing had to be cut.
    public var isSound: Bool {
        problemCount == 0 && cuts.isEmpty && tail == nil && damage == nil
    }

    mutating func note(_ problem: LogProblem) {
        problemCount += 1
        if problems.count < OpeningReport.problemLimit { problems.append(problem) }
    }

    /// Notes a problem of the first line that only a later one shows.
    mutating func noteFirst(_ problem: LogProblem) {
        problemCount += 1
        if problems.count == OpeningReport.problemLimit { problems.removeLast() }
        problems.insert(problem, at: 0)
    }
}

/// Something in a log that isn't as a writer leaves it.
public struct LogProblem: Hashable, Sendable, CustomStringConvertible {
    /// What it is.
    public enum Kind: Hashable, Sendable {
        /// A line that isn't understood or is blank, or a first line that isn't `log.opened`.
        case diagnostic(Diagnostic)
        /// An event whose `seq` isn't the one that its place calls for.
        case sequence(expected: Int64, seen: Int64)
        /// A line that isn't the next one of the log's chain.
        case chain(ChainBreak)
        /// So many bytes of the log were on the disk, and fewer are there.
        case missing(expected: Int64, seen: Int64)
    }

    /// Where the line begins.
    public let position: LogPosition
    /// What is wrong with it.
    public let kind: Kind

    /// The line, what was seen there and what was expected.
    public var description: String {
        switch kind {
        case .diagnostic(let diagnostic):
            "line \(position.line), byte \(diagnostic.byte): [\(diagnostic.code.rawValue)] "
                + diagnostic.message
        case .sequence(let expected, let seen):
            "line \(position.line): expected seq \(expected), seen \(seen)"
        case .chain(let seen): "line \(position.line): \(seen)"
        case .missing(let expected, let seen):
            "line \(position.line): expected at least \(expected) bytes, which were on the disk, "
                + "seen \(seen)"
        }
    }
}

/// What is done with a torn tail when a log is opened.
public enum TornTailPolicy: Hashable, Sendable {
    /// Opening throws ``EventLogError/tornTail(path:_:)`` and changes nothing.
    case refuse
    /// The tail's bytes are kept in a file beside the log, then cut off; a `log.recovered`,
    /// recorded at that time, and the report say so.
    case cut(recordedAt: Timestamp)
}

/// A torn tail that was cut off.
public struct CutTail: Hashable, Sendable {
    /// The bytes that the log no longer holds.
    public let tail: LogTail
    /// The file beside the log that holds them now.
    public let path: String
    /// Their SHA-256, as 64 lower-case hex digits.
    public let sha256: String
}
