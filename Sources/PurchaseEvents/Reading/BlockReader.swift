/// Cuts a source into blocks of whole lines, in constant memory. Of a line that is too long, it
/// keeps one byte too many, so that the decoder reports `line-too-long`.
final class BlockReader {
    private let source: any ByteSource
    /// The start of the next block: the bytes of a line whose end isn't read yet.
    private var carry: [UInt8] = []
    private var isAtEnd = false
    private var isSkipping = false

    init(_ source: any ByteSource) { self.source = source }

    /// Fills a block with the next whole lines; returns `false` at the end of the source. With a
    /// slow source, it waits only until one line is complete.
    func fill(_ block: LineBlock) throws(ReadProblem) -> Bool {
        block.storage.copyBytes(from: carry)
        let bytes = UnsafeRawBufferPointer(block.storage)
        // What is carried over has no end of a line.
        var (searched, filled) = (carry.count, carry.count)
        carry.removeAll(keepingCapacity: true)
        while true {
            if let end = bytes.lastIndex(of: UInt8(ascii: "\n"), in: searched..<filled) {
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
            searched = filled
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
            let lines = UnsafeRawBufferPointer(rebasing: block.storage[..<end])
            start = (lines.endOfLine(from: 0) ?? end - 1) + 1
        }
        block.setBytes(start..<end, isLastLineEnded: true)
        return true
    }
}
