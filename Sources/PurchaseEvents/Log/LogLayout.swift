/// What a log is made of.
public enum LogLayout: Hashable, Sendable {
    /// One file.
    case file
    /// A folder of segments; one that would grow longer than so many bytes is sealed, and the next
    /// one begun. A batch is never divided, so a segment of one batch may be longer.
    case segments(size: Int64)

    /// Segments of 64 MiB.
    public static let segments = LogLayout.segments(size: defaultSegmentSize)

    /// The size at which a segment is sealed where none is given.
    public static let defaultSegmentSize: Int64 = 64 << 20
}
