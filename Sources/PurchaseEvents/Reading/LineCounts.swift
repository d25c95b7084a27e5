/// How many lines were read, by what they were.
public struct LineCounts: Hashable, Sendable {
    /// All lines, and their bytes with the ends of line.
    public var lines = 0, bytes = 0
    /// Lines that are events, that were not understood, and that were blank.
    public var events = 0, notUnderstood = 0, blank = 0

    /// No lines.
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

    /// Adds what was counted elsewhere.
    package mutating func add(_ other: LineCounts) {
        lines += other.lines
        bytes += other.bytes
        events += other.events
        notUnderstood += other.notUnderstood
        blank += other.blank
    }

    /// Takes away what was counted before.
    package mutating func subtract(_ before: LineCounts) {
        lines -= before.lines
        bytes -= before.bytes
        events -= before.events
        notUnderstood -= before.notUnderstood
        blank -= before.blank
    }

    /// Whether every line is accounted for.
    public var addUp: Bool { lines == events + notUnderstood + blank }
}
