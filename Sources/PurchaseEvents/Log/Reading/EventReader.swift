/// One line of a log as it was read: what it is and where it stands.
public struct LogEntry: Equatable, Sendable {
    /// Where the line begins.
    public let position: LogPosition
    /// The event, the reason why there is none, or that the line is blank.
    public let content: DecodedLine<Written>
    /// The notes on an event's line: unknown keys and the like.
    public let notes: [Diagnostic]
    /// Where the line behind it begins: reading can go on from there.
    public let next: LogPosition

    /// The event, where the line is one.
    public var event: Event<Written>? {
        if case .event(let event) = content { event } else { nil }
    }
}

/// Reads a log line by line, in constant memory, while a writer may be appending to it.
///
/// The log is a file or a folder of segments; a segment that is begun later is read on into.
/// It gives whole lines alone. At the end ``next()`` answers `nil`, and may be asked again when
/// the log has grown. It takes no lock. A line is seen when it is written, which may be before it
/// is synced and acknowledged; ``EventLog/read(from:)`` keeps to what was acknowledged.
public final class EventReader {
    /// Where the next line begins.
    public private(set) var position: LogPosition
    /// The bytes behind the last whole line, known once ``next()`` has answered `nil`.
    public private(set) var tail: LogTail?
    private var cutter: LineCutter
    private let decoder = LineDecoder()
    private var firstSeq: Int64 = 1

    /// Opens a log for reading from a position; the costs don't depend on how far in it is.
    ///
    /// Throws ``EventLogError/noSuchLog(path:)``, ``EventLogError/notARegularFile(path:seen:)`` or
    /// ``EventLogError/failed(_:path:_:)``.
    public convenience init(
        at path: String, from position: LogPosition = .start
    ) throws(EventLogError) {
        try self.init(at: path, from: position, operations: SystemFiles())
    }

    /// Opens a log for reading from the first event of at least that `seq`; what is before it is
    /// read and passed over.
    public convenience init(at path: String, fromSeq seq: Int64) throws(EventLogError) {
        try self.init(at: path, operations: SystemFiles())
        firstSeq = seq
    }

    init(
        at path: String, from position: LogPosition = .start, fromSeq seq: Int64 = 1,
        limit: Int64 = .max, operations: any FileOperations
    ) throws(EventLogError) {
        let source = try LogBytes(at: path, operations: operations)
        self.position = position
        firstSeq = seq
        cutter = LineCutter(source, from: position.offset, limit: limit)
    }

    /// The next line; `nil` where there is no further whole one, which may change.
    ///
    /// Throws ``EventLogError/notALineStart(path:offset:)`` or
    /// ``EventLogError/shrank(path:read:size:)`` where the log isn't the one that was read
    /// before, and ``EventLogError/failed(_:path:_:)``.
    public func next() throws(EventLogError) -> LogEntry? {
        while let entry = try nextOfAny() {
            guard firstSeq > 1 else { return entry }
            guard (entry.event?.seq ?? entry.position.seq) >= firstSeq else { continue }
            firstSeq = 1
            return entry
        }
        return nil
    }

    private func nextOfAny() throws(EventLogError) -> LogEntry? {
        guard let cut = try cutter.next() else {
            tail =
                cutter.tailLength > 0
                ? LogTail(position: position, length: cutter.tailLength) : nil
            return nil
        }
        tail = nil
        let content = decode(cut)
        let entry = LogEntry(
            position: position, content: content, notes: decoder.notes,
            next: position.behind(LineContent(content), length: cut.fileLength))
        position = entry.next
        return entry
    }

    private func decode(_ line: LineCutter.Line) -> DecodedLine<Written> {
        cutter.withBytes(of: line) { decoder.decodeWritten($0) }
            ?? .notUnderstood(LineDecoder.lineTooLong)
    }
}
