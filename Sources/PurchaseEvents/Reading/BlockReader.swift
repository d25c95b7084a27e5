#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Cuts a source into blocks of whole lines, in memory that doesn't grow with the source.
///
/// The reader truncates a line longer than ``LineDecoder/maximumLineLength`` to one byte more, so
/// that the decoder reports `line-too-long`.
final class BlockReader {
    private let source: any ByteSource
    /// The start of the next block: the bytes of a line whose end isn't read yet.
    private var carry: [UInt8] = []
    private var isAtEnd = false
    /// Whether the reader is skipping the rest of a line that is too long.
    private var isSkipping = false

    init(_ source: any ByteSource) { self.source = source }

    /// Fills a block with the next whole lines; returns `false` at the end of the source.
    ///
    /// With a slow source, the reader waits only until one line is complete.
    func fill(_ block: LineBlock) throws(ReadProblem) -> Bool {
        var filled = block.load(carry)
        carry.removeAll(keepingCapacity: true)
        while true {
            if let end = block.lastEndOfLine(below: filled) {
                carry.append(contentsOf: block.storage[(end + 1)..<filled])
                return finish(block, end + 1)
            }
            if filled > LineDecoder.maximumLineLength {
                if isSkipping {
                    filled = 0
                } else {
                    isSkipping = true
                    block.setBytes(0..<(LineDecoder.maximumLineLength + 1), isLastLineEnded: true)
                    return true
                }
            }
            if isAtEnd {
                if isSkipping { filled = 0 }
                isSkipping = false
                block.setBytes(0..<filled, isLastLineEnded: false)
                return filled > 0
            }
            let end = min(filled + LineBlock.portion, block.storage.count)
            let room = UnsafeMutableRawBufferPointer(rebasing: block.storage[filled..<end])
            let count = try source.read(into: room)
            isAtEnd = count == 0
            filled += count
        }
    }

    /// Ends the block at its last whole line, without the rest of a line that is too long.
    private func finish(_ block: LineBlock, _ end: Int) -> Bool {
        var start = 0
        if isSkipping {
            isSkipping = false
            start = (block.firstEndOfLine(below: end) ?? end - 1) + 1
        }
        block.setBytes(start..<end, isLastLineEnded: true)
        return true
    }
}

extension LineBlock {
    /// The index of the last newline in the first `count` bytes of the storage, or `nil`.
    fileprivate func lastEndOfLine(below count: Int) -> Int? {
        var place = count
        while place > 0 {
            place -= 1
            if storage[place] == 0x0A { return place }
        }
        return nil
    }

    /// The index of the first newline in the first `count` bytes of the storage, or `nil`.
    fileprivate func firstEndOfLine(below count: Int) -> Int? {
        UnsafeRawBufferPointer(rebasing: storage[0..<count]).endOfLine(from: 0)
    }
}

extension UnsafeRawBufferPointer {
    /// The index of the next newline at or after a place, or `nil`.
    @inline(__always)
    package func endOfLine(from start: Int) -> Int? { firstIndex(of: 0x0A, from: start) }

    /// The index of the next `byte` at or after a place, or `nil`.
    @inline(__always)
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
