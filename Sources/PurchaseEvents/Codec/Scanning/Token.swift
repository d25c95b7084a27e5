/// The form of a value as it stands in a line, before its key says what it should be.
enum TokenForm: UInt8 {
    case string, escapedString, integer, fraction, yes, no, null, container
}

/// A value of a top-level key: where it stands, unconverted.
///
/// Eight bytes, for the tokens of a line that has a known shape are copied. Places are told in 16
/// bits, as no line is longer than ``LineDecoder/maximumLineLength``.
struct Token {
    private let shortStart: UInt16
    private let shortCount: UInt16
    private let shortScratchEnd: UInt16
    let form: TokenForm
    private let shortKey: UInt8

    /// A value that stands in a line.
    @inline(__always)
    init(start: Int, count: Int, scratchEnd: Int = 0, form: TokenForm, key: Int = 0) {
        shortStart = UInt16(truncatingIfNeeded: start)
        shortCount = UInt16(truncatingIfNeeded: count)
        shortScratchEnd = UInt16(truncatingIfNeeded: scratchEnd)
        self.form = form
        shortKey = UInt8(truncatingIfNeeded: key)
    }

    /// No value.
    init() { self.init(start: 0, count: 0, form: .null) }

    /// The first byte of the value, counted from the start of the line: the quote of a string.
    @inline(__always)
    var start: Int { Int(shortStart) }
    /// The number of bytes of the value, both quotes included.
    @inline(__always)
    var count: Int { Int(shortCount) }
    /// Where the unescaped bytes of an escaped string end in the scanner's scratch.
    var scratchEnd: Int { Int(shortScratchEnd) }
    /// The place of the key among all tokens, of a shape's value.
    @inline(__always)
    var key: Int { Int(shortKey) }
}
