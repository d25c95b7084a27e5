/// A place between two lines of a log, from which reading can go on.
///
/// It may be kept and used by another process: a log only grows, so it stays right, and a reader
/// checks that a line ends before it.
public struct LogPosition: Hashable, Sendable {
    /// The bytes before it.
    public let offset: Int64
    /// The number of the line that begins here, counted from 1.
    public let line: Int64
    /// The `seq` that the line should have: one more than the greatest before it, where a line
    /// that isn't understood counts as one.
    public let seq: Int64

    /// The place before line 1.
    public static let start = LogPosition(at: 0, line: 1, seq: 1)

    /// A place that a reader was at before; `nil` where no reader can have been there.
    public init?(offset: Int64, line: Int64, seq: Int64) {
        let numbers = 1...Int64(1) << 60
        guard (0...1 << 60).contains(offset), numbers.contains(line), numbers.contains(seq) else {
            return nil
        }
        self.init(at: offset, line: line, seq: seq)
    }

    private init(at offset: Int64, line: Int64, seq: Int64) {
        self.offset = offset
        self.line = line
        self.seq = seq
    }

    /// The place behind a line of that many bytes, its end of line included.
    func behind(_ content: LineContent, length: Int64) -> LogPosition {
        let next: Int64 =
            switch content {
            case .blank: seq
            case .notUnderstood: seq + 1
            // A line that repeats an old number leaves the count where it is, so that one such
            // line is one problem and not one with every line behind it.
            case .event(let seen): seen >= seq ? seen + 1 : seq
            }
        return LogPosition(at: offset + length, line: line + 1, seq: next)
    }
}

/// What of a line bears upon the count of `seq`.
enum LineContent: Hashable, Sendable {
    case event(seq: Int64)
    case notUnderstood
    case blank

    init(_ line: DecodedLine<some Spelling>) {
        switch line {
        case .event(let event): self = .event(seq: event.seq)
        case .notUnderstood: self = .notUnderstood
        case .blank: self = .blank
        }
    }
}

/// The bytes behind the last whole line: no writer has acknowledged them.
///
/// In a log that nobody is writing they are what a crash left of an append; in one that is being
/// written they may be an append under way.
public struct LogTail: Hashable, Sendable {
    /// Where they begin.
    public let position: LogPosition
    /// How many they are, at least 1.
    public let length: Int64
}
