enum Hex {
    /// The eight digits of a word; the word's highest byte comes first.
    @inline(__always)
    static func digits(of word: UInt32) -> UInt64 {
        let digits = values(of: word)
        // 1 in each byte above 9: the letters begin 0x27 after the digits.
        let letters = (digits &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }

    /// Spreads a word into bytes of four bits each, the highest bits first.
    @inline(__always)
    static func values(of word: UInt32) -> UInt64 {
        // Split each group of bits in half, three times.
        var values = UInt64(word)
        values = (values | values &<< 16) & 0x0000_FFFF_0000_FFFF
        values = (values | values &<< 8) & 0x00FF_00FF_00FF_00FF
        return (values | values &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
    }

    /// The word of eight hex digits, the highest first; `nil` if one isn't a hex digit.
    @inline(__always)
    static func word(ofDigits digits: UInt64) -> UInt32? {
        // A letter's low four bits are nine less than its value.
        let letters = digits &>> 6 & 0x0101_0101_0101_0101
        let values = (digits & 0x0F0F_0F0F_0F0F_0F0F) &+ letters &* 9
        guard values & 0xF0F0_F0F0_F0F0_F0F0 == 0 else { return nil }
        let word = Hex.word(ofValues: values)
        return Hex.digits(of: word) == digits ? word : nil
    }

    /// The word of eight values below 16, the highest first.
    @inline(__always)
    static func word(ofValues values: UInt64) -> UInt32 {
        var word = values
        word = (word | word &>> 4) & 0x00FF_00FF_00FF_00FF
        word = (word | word &>> 8) & 0x0000_FFFF_0000_FFFF
        word = word | word &>> 16
        return UInt32(truncatingIfNeeded: word)
    }
}
