/// A line read from a log, with its position.
public struct LogEntry: Equatable, Sendable {
    /// The position where the line starts.
    public let position: LogPosition
    /// The event, the reason why there is none, or a blank line.
    public let content: DecodedLine<Written>
    /// The notes about an event's line, such as unknown keys.
    public let notes: [Diagnostic]
    /// The position where the next line starts; reading can continue there.
    public let next: LogPosition

    /// The event, or `nil` if the line isn't one.
    public var event: Event<Written>? { if case .event(let event) = content { event } else { nil } }
}

/// Reads a log line by line in constant memory, even while a writer appends to it.
///
/// The log is a file or a folder of segments; the reader continues into segments created later. The
/// reader returns only whole lines. At the end ``next()`` returns `nil`; call it again when the log
/// has grown. The reader takes no lock, and returns a line once it is written, possibly before it
/// is synced and acknowledged; ``EventLog/read(from:)-(Int64)`` returns acknowledged lines only.
public final class EventReader {
    /// The position where the next line starts.
    public private(set) var position: LogPosition
    /// The bytes after the last whole line; set when ``next()`` has returned `nil`.
    public private(set) var tail: LogTail?
    private var cutter: LineCutter
    private let decoder = LineDecoder()
    private var firstSeq: Int64 = 1

    /// Opens a log for reading from a position; the cost doesn't depend on the position.
    ///
    /// Throws ``EventLogError/noSuchLog(path:)``, ``EventLogError/notARegularFile(path:seen:)`` or
    /// ``EventLogError/failed(_:path:_:)``.
    public convenience init(
        at path: String, from position: LogPosition = .start
    ) throws(EventLogError) {
        try self.init(at: path, from: position, operations: SystemFiles())
    }

    /// Opens a log for reading from the first line whose `seq` is at least `seq`; earlier lines are
    /// read and skipped.
    ///
    /// A line without an event counts with the `seq` expected at its place.
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

    /// The next line, or `nil` if there is no further whole line yet.
    ///
    /// Throws ``EventLogError/notALineStart(path:offset:)`` or
    /// ``EventLogError/shrank(path:read:size:)`` if the log isn't the one read before, and
    /// ``EventLogError/failed(_:path:_:)``.
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
        let content =
            cutter.withBytes(of: cut) { decoder.decodeWritten($0) }
            ?? .notUnderstood(LineDecoder.lineTooLong)
        let entry = LogEntry(
            position: position, content: content, notes: decoder.notes,
            next: position.advanced(past: content, length: cut.fileLength))
        position = entry.next
        return entry
    }
}
