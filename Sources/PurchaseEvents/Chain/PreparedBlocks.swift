/// Hashes most of a line before the chain value of the previous line is known.
///
/// A chained line's message is the previous value (32 bytes) followed by the line's own bytes, so
/// only the first block contains the value. The message schedules of the other blocks, a third of
/// the work, can be prepared by another thread.
extension PortableSHA256 {
    /// The number of words in a block's schedule; each word includes its round constant.
    static let scheduleLength = 64
    /// The number of bytes before those of the line: the previous chain value.
    private static let unknownLength = Digest.hexLength / 2
    private static let firstBlockRoom = blockSize - unknownLength

    /// The number of blocks that can be prepared for a line of `count` bytes, perhaps none.
    static func preparedBlocks(_ count: Int) -> Int {
        count < firstBlockRoom ? 0 : (unknownLength &+ count &+ 8) / blockSize
    }

    static func prepare(_ bytes: UnsafeRawBufferPointer, to place: UnsafeMutablePointer<UInt32>) {
        guard let start = bytes.baseAddress else { return }
        let blocks = preparedBlocks(bytes.count)
        for block in 0..<blocks {
            let offset = firstBlockRoom &+ block &* blockSize
            let schedule = place + block &* scheduleLength
            if bytes.count &- offset >= blockSize {
                writeSchedule(of: start + offset, to: schedule)
            } else {
                withUnsafeTemporaryAllocation(byteCount: blockSize, alignment: 8) { last in
                    guard let base = last.baseAddress else { return }
                    fill(last, with: bytes, from: offset, isLast: block == blocks &- 1)
                    writeSchedule(of: base, to: schedule)
                }
            }
        }
    }

    /// Fills a block at the end of a message with the rest of the bytes and the padding.
    private static func fill(
        _ block: UnsafeMutableRawBufferPointer, with bytes: UnsafeRawBufferPointer,
        from offset: Int, isLast: Bool
    ) {
        block.initializeMemory(as: UInt8.self, repeating: 0)
        let left = bytes.count &- offset
        if left >= 0 {
            block.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            block[left] = 0x80
        }
        guard isLast else { return }
        let bits = UInt64(unknownLength &+ bytes.count) &* 8
        block.storeBytes(of: bits.bigEndian, toByteOffset: blockSize &- 8, as: UInt64.self)
    }

    private static func writeSchedule(
        of block: UnsafeRawPointer, to place: UnsafeMutablePointer<UInt32>
    ) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { buffer in
            guard let words = buffer.baseAddress else { return }
            roundConstants.withUnsafeBufferPointer { constants in
                guard let constants = constants.baseAddress else { return }
                load(block, into: words)
                var first = 0
                while true {
                    for index in 0..<16 {
                        place[first &+ index] = words[index] &+ constants[first &+ index]
                    }
                    first &+= 16
                    if first == scheduleLength { break }
                    for index in 0..<16 { extend(words, index) }
                }
            }
        }
    }

    /// The hash of a message whose blocks after the first were prepared from the same bytes.
    static func hash(
        _ value: Digest, _ bytes: UnsafeRawBufferPointer, schedules: UnsafePointer<UInt32>
    ) -> Digest {
        precondition(bytes.count >= firstBlockRoom, "what is prepared fills the first block")
        var hash = PortableSHA256()
        value.withBytes { hash.update($0) }
        hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<firstBlockRoom]))
        for block in 0..<preparedBlocks(bytes.count) {
            compress(schedules + block &* scheduleLength, into: &hash.state)
        }
        return Digest(words: hash.state)
    }

    private static func compress(
        _ schedule: UnsafePointer<UInt32>, into state: inout SIMD8<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for eighth in 0..<8 {
            let words = schedule + eighth &* 8
            round(a, b, c, &d, e, f, g, &h, words[0])
            round(h, a, b, &c, d, e, f, &g, words[1])
            round(g, h, a, &b, c, d, e, &f, words[2])
            round(f, g, h, &a, b, c, d, &e, words[3])
            round(e, f, g, &h, a, b, c, &d, words[4])
            round(d, e, f, &g, h, a, b, &c, words[5])
            round(c, d, e, &f, g, h, a, &b, words[6])
            round(b, c, d, &e, f, g, h, &a, words[7])
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }
}
