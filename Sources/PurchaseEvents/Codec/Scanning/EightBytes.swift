/// Eight bytes of text in a word, the first lowest, looked at all at once.
enum EightBytes {
    /// A byte eight times.
    @inline(__always)
    static func all(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// The high bit of the bytes that are a given one; those above the first may be told wrong.
    @inline(__always)
    static func equal(to byte: UInt8, in word: UInt64) -> UInt64 {
        let others = word ^ all(byte)
        return (others &- all(1)) & ~others & all(0x80)
    }
}
