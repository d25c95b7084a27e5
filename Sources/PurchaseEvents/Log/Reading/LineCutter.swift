/// Splits a growing file into whole lines, block by block, in constant memory.
///
/// Bytes after the last newline are never kept: the next call reads them again from the start of
/// their line. So if a half-written append is cut back and replaced, the reader sees the
/// replacement.
struct LineCutter {
    struct Line {
        let offset: Int64
        let length: Int64
        /// The range of the line in the block, or `nil` if the line is too long.
        fileprivate let place: Range<Int>?

        var fileLength: Int64 { length + 1 }
    }

    /// In bytes; a block holds the longest line, its newline and the newline before it.
    static let defaultBlockSize = 256 * 1_024

    private let source: LogBytes
    private let limit: Int64
    private var block: [UInt8]
    private var start = 0
    private var filled = 0
    private var offset: Int64
    /// The number of bytes of the next line skipped so far, because the line is too long.
    private var passed: Int64 = 0
    /// The number of bytes after the last whole line, set when no further line was found.
    private(set) var tailLength: Int64 = 0

    init(
        _ source: LogBytes, from offset: Int64 = 0, limit: Int64 = .max,
        blockSize: Int = defaultBlockSize
    ) {
        precondition(blockSize > LineDecoder.maximumLineLength + 2, "a block holds a line")
        self.source = source
        self.offset = offset
        self.limit = limit
        block = Array(repeating: 0, count: blockSize)
    }

    mutating func next() throws(EventLogError) -> Line? {
        while true {
            if let end = lineEnd() {
                let length = passed + Int64(end - start)
                let fits = length <= Int64(LineDecoder.maximumLineLength)
                let line = Line(offset: offset, length: length, place: fits ? start..<end : nil)
                offset += length + 1
                start = end + 1
                passed = 0
                return line
            }
            if passed > 0 || filled - start > LineDecoder.maximumLineLength {
                passed += Int64(filled - start)
            }
            start = 0
            filled = 0
            guard try refill() else { return nil }
        }
    }

    /// Passes the bytes of the most recent line to `body`; returns `nil` if the line is too long.
    func withBytes<Answer>(of line: Line, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer? {
        guard let place = line.place else { return nil }
        return block.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[place])) }
    }

    /// Fills the block; returns `false` if the block then has no newline and no line that is too
    /// long.
    ///
    /// Only the first line of a block can come from several reads. Its bytes could mix a failed
    /// write that was cut back with a later one, so the line is read again, in a single read if the
    /// system allows it.
    private mutating func refill(isAgain: Bool = false) throws(EventLogError) -> Bool {
        var reads = 0
        // Also read the newline before the line: it proves that a line starts here.
        let proves = passed == 0 && offset > 0
        let base = offset + passed - (proves ? 1 : 0)
        while filled < block.count {
            guard try readMore(from: base + Int64(filled)) else { break }
            reads += 1
            if proves, block[0] != UInt8(ascii: "\n") {
                throw .notALineStart(path: source.path, offset: offset)
            }
            start = proves ? 1 : 0
            if lineEnd() != nil { break }
        }
        if reads > 1, lineEnd() != nil, passed == 0, !isAgain {
            start = 0
            filled = 0
            return try refill(isAgain: true)
        }
        if lineEnd() != nil || passed > 0 && filled > 0 { return true }
        if filled - start > LineDecoder.maximumLineLength { return true }
        tailLength = passed + Int64(filled - start)
        start = 0
        filled = 0
        return false
    }

    private mutating func readMore(from position: Int64) throws(EventLogError) -> Bool {
        let room = Int(clamping: min(Int64(block.count - filled), max(0, limit - position)))
        guard room > 0 else { return false }
        let place = filled..<filled + room
        let source = source
        let count = try block.withUnsafeMutableBufferPointer { (bytes) throws(EventLogError) in
            let part = UnsafeMutableBufferPointer(rebasing: bytes[place])
            return try source.read(at: position, into: UnsafeMutableRawBufferPointer(part))
        }
        filled += count
        if count == 0, filled == 0 {
            let size = try source.size()
            guard size >= position else {
                throw .shrank(path: source.path, read: offset + passed, size: size)
            }
        }
        return count > 0
    }

    private func lineEnd() -> Int? {
        block.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[..<filled]).endOfLine(from: start)
        }
    }
}
