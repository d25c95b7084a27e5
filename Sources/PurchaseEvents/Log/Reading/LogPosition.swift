/// A position between two lines of a log, from which reading can continue.
///
/// A position can be stored and used by another process: a log only grows, so positions stay valid,
/// and a reader checks that a line ends at the position.
public struct LogPosition: Hashable, Sendable {
    /// The number of bytes before the position.
    public let offset: Int64
    /// The number of the line that starts here, counted from 1.
    public let line: Int64
    /// The `seq` expected for the next line: one more than the greatest before it; a line that
    /// isn't understood counts as one.
    public let seq: Int64

    /// The position before line 1.
    public static let start = LogPosition(at: 0, line: 1, seq: 1)

    /// Restores a stored position; returns `nil` if a number is out of range.
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

    /// The position after a line of `length` bytes, including its newline.
    func advanced(past decoded: DecodedLine<some Spelling>, length: Int64) -> LogPosition {
        let next: Int64 =
            switch decoded {
            case .blank: seq
            case .notUnderstood: seq + 1
            // A repeated number leaves the count unchanged, so that it causes one problem and not
            // one for every later line.
            case .event(let event): event.seq >= seq ? event.seq + 1 : seq
            }
        return LogPosition(at: offset + length, line: line + 1, seq: next)
    }
}

/// The bytes after the last whole line, which no writer has acknowledged.
///
/// If no process is writing the log, a crash interrupted an append; otherwise an append may be in
/// progress.
public struct LogTail: Hashable, Sendable {
    /// The position where the bytes start.
    public let position: LogPosition
    /// The number of bytes, at least 1.
    public let length: Int64
}
