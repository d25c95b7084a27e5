/// Passes a log to a ``LogReader`` while a writer appends to it: each call reads the whole lines
/// added since the previous call.
///
/// The log is a file or a folder of segments, including segments created later. Bytes after the
/// last newline wait for a later call, so an append in progress is never read in part, and a torn
/// tail may be cut off in the meantime. The type takes no lock. Between calls, it keeps a few
/// hundred bytes and one ``Part`` for each file.
package final class GrowingLog {
    package struct Part: Hashable, Sendable {
        package let path: String
        /// The number of the file's first line, counted from 1 over the whole log.
        package let firstLine: Int
    }

    package let path: String
    package private(set) var parts: [Part] = []
    /// The number of bytes that are missing before the first segment.
    package let missing: Int64
    /// The path without links, which must stay the same.
    private let target: String
    private let bytes: LogBytes
    private var offset: Int64
    /// The offset where the latest file of ``parts`` begins; -1 before the first file.
    private var latestPartStart: Int64 = -1
    /// The last bytes that were read, at most ``proofSize``: proof that the log is still the same.
    private var lastBytes: [UInt8] = []
    /// The offset up to which a search found no newline; 0 if the bytes are few enough to search
    /// again.
    private var searchedEnd: Int64 = 0

    private static let proofSize = 512
    private static let portion = 1 << 16
    private static let longTail = 1 << 20

    /// Opens a log, with the errors of ``EventReader/init(at:from:)``; nothing is read yet.
    package convenience init(at path: String) throws(EventLogError) {
        try self.init(at: path, operations: SystemFiles())
    }

    package init(at path: String, operations: any FileOperations) throws(EventLogError) {
        self.path = path
        target = try GrowingLog.target(of: path, RetryingFiles(operations: operations))
        bytes = try LogBytes(at: target, operations: operations)
        offset = bytes.starts[0]
        missing = offset
    }

    /// Visits how far the log was read, and the bytes that prove that it is still the same.
    package func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&parts, empty: Part(path: "", firstLine: 0)) { part in
            var (path, firstLine) = (part.path, part.firstLine)
            visitor.visit(&path).visit(&firstLine)
            part = Part(path: path, firstLine: firstLine)
        }
        visitor.visit(&offset).visit(&latestPartStart).visit(&lastBytes)
    }

    private static func target(
        of path: String, _ files: RetryingFiles
    ) throws(EventLogError) -> String {
        do throws(SystemError) {
            return try files.retrying(files.operations.realPath(ofFolder: path))
        } catch {
            throw error == .missing ? .noSuchLog(path: path) : .failed(.open, path: path, error)
        }
    }

    /// The next unread bytes of the log, at most `count`.
    package func head(_ count: Int) throws(EventLogError) -> [UInt8] {
        try bytes.read(at: offset, count: count)
    }

    /// Reads the whole lines added since the previous call, a block at a time.
    ///
    /// Throws an ``EventLogError`` if the log is gone or shorter than the bytes already read, a
    /// ``ReplacedLog`` if those bytes have changed, and the errors of `visit`. After an error, the
    /// log can't be read any further.
    ///
    /// - Parameter toTheEnd: Whether to read the bytes after the last newline too, because the log
    ///   no longer grows.
    package func readLines(
        _ reader: LogReader, toTheEnd: Bool = false, _ visit: (ReadLines) throws -> Void
    ) throws {
        let size = try checkedSize()
        let end = toTheEnd ? size : try endOfLines(below: size)
        let starts = bytes.starts
        for (index, start) in starts.enumerated() {
            let upper = min(index + 1 < starts.count ? starts[index + 1] : .max, end)
            guard upper > offset else { continue }
            if start > latestPartStart { try begin(at: start, reader.counts.lines) }
            let last = max(upper - Int64(GrowingLog.proofSize), starts[0])
            lastBytes = try bytes.read(at: last, count: Int(clamping: upper - last))
            try reader.readLines(FileSource(bytes, from: offset, to: upper)) { lines in
                try visit(lines)
                return lines.count
            }
            offset = upper
        }
    }

    /// Records a file of the log; after a recovery, the file may begin with lines that were already
    /// read from the previous file.
    private func begin(at start: Int64, _ lines: Int) throws(EventLogError) {
        let again = try bytes.read(at: start, count: Int(clamping: offset - start))
        let file = bytes.isFolder ? LogBytes.path(ofSegmentAt: start, in: path) : path
        let count = again.count { $0 == UInt8(ascii: "\n") }
        parts.append(Part(path: file, firstLine: lines - count + 1))
        latestPartStart = start
    }

    /// The size of the log; throws if the log was replaced or has shrunk.
    private func checkedSize() throws -> Int64 {
        guard try GrowingLog.target(of: path, bytes.files) == target else {
            throw ReplacedLog(path: path, offset: offset)
        }
        try bytes.reload()
        let size = try bytes.size()
        guard size >= offset, bytes.starts[0] <= offset else {
            throw EventLogError.shrank(path: path, read: offset, size: size)
        }
        let known = lastBytes.suffix(Int(clamping: offset - bytes.starts[0]))
        let seen = try bytes.read(at: offset - Int64(known.count), count: known.count)
        guard seen.elementsEqual(known) else { throw ReplacedLog(path: path, offset: offset) }
        return size
    }

    /// The offset after the last newline, but at least ``offset`` and the last segment's start.
    private func endOfLines(below size: Int64) throws(EventLogError) -> Int64 {
        let least = max(offset, bytes.starts.last ?? 0)
        if searchedEnd > size { searchedEnd = 0 }
        let stop = max(least, searchedEnd)
        var end = size
        while end > stop {
            let start = max(stop, end - Int64(GrowingLog.portion))
            let part = try bytes.read(at: start, count: Int(clamping: end - start))
            if let place = part.lastIndex(of: UInt8(ascii: "\n")) {
                searchedEnd = 0
                return start + Int64(place) + 1
            }
            end = start
        }
        // Don't search the bytes of a line that is far too long again on every call.
        searchedEnd = size - least > Int64(GrowingLog.longTail) ? size : 0
        return least
    }
}

/// The error for a followed log that was replaced or rewritten, so that the bytes already read are
/// gone.
public struct ReplacedLog: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the log.
    public let path: String
    /// The number of bytes already read.
    public let offset: Int64

    /// What was expected and what was seen.
    public var description: String {
        "`\(EscapedText.escape(path))`: expected the \(offset) bytes that were read before, seen "
            + "other bytes; the log was replaced or rewritten"
    }
}
