/// How a log is stored.
public enum LogLayout: Hashable, Sendable {
    /// In one file.
    case file
    /// In a folder of segments. A segment that would exceed `size` bytes is sealed and the next one
    /// started. A batch is never split, so a segment with a single batch may be larger.
    case segments(size: Int64)

    /// In a folder of segments of 64 MiB.
    public static let segments = LogLayout.segments(size: defaultSegmentSize)

    /// The default size of a segment in bytes, 64 MiB.
    public static let defaultSegmentSize: Int64 = 64 << 20
}
