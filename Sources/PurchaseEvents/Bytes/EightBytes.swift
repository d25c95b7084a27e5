/// Tests eight bytes of text at once, in a word whose lowest byte is the first.
enum EightBytes {
    @inline(__always)
    static func all(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Sets the high bit of each byte that equals a given one; only the lowest set bit is reliable.
    @inline(__always)
    static func equal(to byte: UInt8, in word: UInt64) -> UInt64 {
        let others = word ^ all(byte)
        return (others &- all(1)) & ~others & all(0x80)
    }
}

extension UnsafeRawPointer {
    /// The eight bytes at an offset, which must exist, as a little-endian word.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The eight bytes at an offset as a little-endian word, with zeros past the buffer's end.
    @inline(__always)
    func paddedWord(at offset: Int) -> UInt64 {
        let left = count &- offset
        if left >= 8 { return word(at: offset) }
        if left >= 4 {
            // Two overlapping loads of four bytes.
            let low = UInt64(
                UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            let high = UInt64(
                UInt32(littleEndian: loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)))
            return low | high << UInt64((left &- 4) &* 8)
        }
        var word: UInt64 = 0
        var index = 0
        while index < left {
            word |= UInt64(self[offset &+ index]) << UInt64(index &* 8)
            index &+= 1
        }
        return word
    }
}
