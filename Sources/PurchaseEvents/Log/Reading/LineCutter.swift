#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Cuts a file that may be growing into whole lines, a block at a time, in constant memory.
///
/// Bytes behind the last end of line are never kept: when more is asked for, they are read again
/// from the start of their line. So an append that was seen half, cut back and written anew is
/// read as what it is now.
struct LineCutter {
    /// One whole line.
    struct Line {
        /// Where it begins in the file.
        let offset: Int64
        /// Its bytes, the end of line not counted.
        let length: Int64
        /// Where it stands in the block; `nil` where it is longer than any line may be.
        fileprivate let place: Range<Int>?

        /// Its bytes with its end of line.
        var fileLength: Int64 { length + 1 }
    }

    /// Holds the longest line, its end and the one before it.
    static let defaultBlockSize = 256 * 1_024

    private let source: LogBytes
    /// Nothing behind it is read.
    private let limit: Int64
    private var block: [UInt8]
    private var start = 0
    private var filled = 0
    /// Where the next line begins in the file.
    private var offset: Int64
    /// The bytes of the next line that were passed over, for it is too long already.
    private var passed: Int64 = 0
    /// The bytes behind the last whole line, when there was no further one.
    private(set) var tailLength: Int64 = 0

    /// - Precondition: the block holds the longest line and two bytes more.
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

    /// The next whole line; `nil` where there is none yet.
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

    /// Gives the bytes of the line that was cut last; none of one that is too long.
    func withBytes<Answer>(
        of line: Line, _ body: (UnsafeRawBufferPointer) -> Answer
    ) -> Answer? {
        guard let place = line.place else { return nil }
        return block.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[place])) }
    }

    /// Fills the block; `false` where there is neither a line end nor a line too long in it.
    ///
    /// Only the first line of a block can come from more than one read. It could be made of what
    /// was there before a writer cut a failed write back and of what it wrote then, so it is read
    /// once more, in one read where the system gives it.
    private mutating func refill(isAgain: Bool = false) throws(EventLogError) -> Bool {
        var reads = 0
        // The end of line before is read too: it proves that a line begins here.
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

    /// Reads once, behind what the block holds; `false` at the end.
    private mutating func readMore(from position: Int64) throws(EventLogError) -> Bool {
        let room = Int(clamping: min(Int64(block.count - filled), max(0, limit - position)))
        guard room > 0 else { return false }
        let place = filled..<filled + room
        let source = source
        let result = block.withUnsafeMutableBytes { bytes in
            Result { () throws(EventLogError) in
                try source.read(
                    at: position, into: UnsafeMutableRawBufferPointer(rebasing: bytes[place]))
            }
        }
        let count = try result.get()
        filled += count
        if count == 0, filled == 0 {
            let size = try source.size()
            guard size >= position else {
                throw .shrank(path: source.path, read: offset + passed, size: size)
            }
        }
        return count > 0
    }

    /// The place of the next end of line in the block.
    private func lineEnd() -> Int? {
        guard filled > start else { return nil }
        return block.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let end = memchr(base + start, Int32(UInt8(ascii: "\n")), filled - start)
            else { return nil }
            return UnsafeRawPointer(end) - base
        }
    }
}
