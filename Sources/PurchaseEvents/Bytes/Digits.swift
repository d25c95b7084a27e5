/// Converts eight decimal digits at a time.
enum Digits {
    static var zeros: UInt64 {
        @inline(__always) get { EightBytes.all(UInt8(ascii: "0")) }
    }

    /// Sets the high bit of each byte that isn't a digit, given eight characters, exclusive-ored
    /// with ``zeros``; only the lowest set bit is reliable.
    @inline(__always)
    static func others(in digits: UInt64) -> UInt64 {
        // Adding 0x76 sets the high bit of any byte above 9.
        (digits | (digits &+ EightBytes.all(0x76))) & EightBytes.all(0x80)
    }

    /// The number in the last 1 to 8 of eight bytes, which must be digits; the first byte is
    /// lowest.
    @inline(__always)
    static func value(of bytes: UInt64, count: UInt64) -> Int64 {
        let gap = (8 &- count) &* 8
        // Zeros replace the bytes before the digits; then pairs, fours and eights are joined.
        let digits = ((bytes ^ zeros) &>> gap) &<< gap
        let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
        return Int64((fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF)
    }
}
