/// The number of lines read, by kind.
public struct LineCounts: BitwiseCopyable, Hashable, Sendable {
    /// The number of lines, and the number of their bytes including newlines.
    public var lines = 0, bytes = 0
    /// The numbers of lines that are events, that weren't understood, and that are blank.
    public var events = 0, notUnderstood = 0, blank = 0

    /// Creates counts of zero.
    public init() {}

    mutating func add(_ record: LineBlock.Record, isEnded: Bool) {
        lines += 1
        bytes += Int(record.count) + (isEnded ? 1 : 0)
        switch record.kind {
        case .event: events += 1
        case .notUnderstood: notUnderstood += 1
        case .blank: blank += 1
        }
    }

    package mutating func add(_ other: LineCounts, times factor: Int = 1) {
        lines += factor * other.lines
        bytes += factor * other.bytes
        events += factor * other.events
        notUnderstood += factor * other.notUnderstood
        blank += factor * other.blank
    }

    package mutating func subtract(_ before: LineCounts) { add(before, times: -1) }

    package var addUp: Bool { lines == events + notUnderstood + blank }
}
