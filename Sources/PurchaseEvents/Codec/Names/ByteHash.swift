/// A hash of bytes that takes 16 at a time, by widening multiplication.
enum ByteHash {
    @inline(__always)
    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var state = seed ^ (UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15)
        var offset = 0
        while offset &+ 16 <= bytes.count {
            state = mix(
                bytes.word(at: offset) ^ state, bytes.word(at: offset &+ 8) ^ 0xA409_3822_299F_31D0)
            offset &+= 16
        }
        if offset < bytes.count {
            // The last 16 bytes of a longer name; some of them may have been hashed already.
            if bytes.count >= 16 {
                let last = bytes.count &- 16
                state = mix(
                    bytes.word(at: last) ^ state, bytes.word(at: last &+ 8) ^ 0x452_821E_638D_0137)
            } else {
                let second = bytes.count > 8 ? bytes.paddedWord(at: 8) : 0
                state = mix(bytes.paddedWord(at: 0) ^ state, second ^ 0xBE54_66CF_34E9_0C6C)
            }
        }
        return mix(state ^ 0x082E_FA98_EC4E_6C89, 0xD6E8_FEB8_6659_FD93)
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low
    }
}
