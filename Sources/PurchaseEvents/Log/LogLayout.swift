/// The layout of a log: one file, or a folder of segments.
public enum LogLayout: Hashable, Sendable {
    /// In one file.
    case file
    /// In a folder of segments of at most `size` bytes each.
    ///
    /// A batch that would exceed the size starts the next segment; the previous segment becomes
    /// read-only. A batch is never split, so a segment with a single batch may be larger.
    case segments(size: Int64)

    /// In a folder of segments of 64 MiB.
    public static let segments = LogLayout.segments(size: defaultSegmentSize)

    /// The default size of a segment in bytes, 64 MiB.
    public static let defaultSegmentSize: Int64 = 64 << 20

    /// The default number of lines after which an open log writes its snapshot again.
    public static let defaultSnapshotInterval: Int64 = 1_000_000
}
