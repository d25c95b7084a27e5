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
