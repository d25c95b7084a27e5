/// A keyed hash of bytes that takes 16 at a time, by widening multiplication.
///
/// A product of 0 would forget the bytes before a block. It takes a first word equal to the state,
/// or a second word equal to the key's word. Both are random and secret, so for a block that was
/// chosen without the key the chance is 2 in 2^64. Even then nothing is forgotten, because each
/// step keeps the state itself beside the product. Without the key, a difference between two names
/// that the product undoes can't be chosen either: it depends on the other, unknown factor.
enum ByteHash {
    @inline(__always)
    static func hash(_ bytes: UnsafeRawBufferPointer, _ key: HashKey.Half) -> UInt64 {
        var state = key.state
        var offset = 0
        while offset &+ 16 <= bytes.count {
            state ^= mix(bytes.word(at: offset) ^ state, bytes.word(at: offset &+ 8) ^ key.word)
            offset &+= 16
        }
        if offset < bytes.count {
            // The last 16 bytes of a longer name; some of them may have been hashed already.
            if bytes.count >= 16 {
                let last = bytes.count &- 16
                state ^= mix(bytes.word(at: last) ^ state, bytes.word(at: last &+ 8) ^ key.word)
            } else {
                let second = bytes.count > 8 ? bytes.paddedWord(at: 8) : 0
                state ^= mix(bytes.paddedWord(at: 0) ^ state, second ^ key.word)
            }
        }
        // The length tells names apart whose blocks are equal once they are padded.
        return mix(
            state ^ 0x082E_FA98_EC4E_6C89,
            UInt64(truncatingIfNeeded: bytes.count) ^ 0xD6E8_FEB8_6659_FD93)
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low
    }
}
