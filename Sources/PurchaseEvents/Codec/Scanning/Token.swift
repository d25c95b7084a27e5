/// The form of a value in a line, before its key says what the value should be.
enum TokenForm: UInt8 {
    case string, escapedString, integer, fraction, yes, no, null, container
}

/// The place of a top-level key's value in its line; the value isn't converted.
///
/// A token has eight bytes, because the tokens of a line with a known shape are copied. Offsets fit
/// in 16 bits: no line is longer than ``LineDecoder/maximumLineLength``.
struct Token {
    private let shortStart: UInt16
    private let shortCount: UInt16
    private let shortScratchEnd: UInt16
    let form: TokenForm
    private let shortKey: UInt8

    @inline(__always)
    init(start: Int, count: Int, scratchEnd: Int = 0, form: TokenForm, key: Int = 0) {
        shortStart = UInt16(truncatingIfNeeded: start)
        shortCount = UInt16(truncatingIfNeeded: count)
        shortScratchEnd = UInt16(truncatingIfNeeded: scratchEnd)
        self.form = form
        shortKey = UInt8(truncatingIfNeeded: key)
    }

    /// The offset of the value's first byte in the line; for a string, of its opening quote.
    @inline(__always)
    var start: Int { Int(shortStart) }
    /// The length of the value in bytes, including both quotes.
    @inline(__always)
    var count: Int { Int(shortCount) }
    var range: Range<Int> { start..<start + count }
    /// The end of the string's unescaped bytes in the scanner's scratch, if the string has escapes.
    var scratchEnd: Int { Int(shortScratchEnd) }
    /// In a shape, the index of the value's key among all tokens.
    @inline(__always)
    var key: Int { Int(shortKey) }
}
