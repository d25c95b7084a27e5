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

/// The unescaped bytes of a line's strings: never more than the line has.
struct Scratch: ~Copyable {
    private let storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init() {
        storage = .allocate(byteCount: LineDecoder.maximumLineLength, alignment: 8)
    }

    deinit { storage.deallocate() }

    /// The bytes so far; they stay where they are until the scratch is reset.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[0..<count])
    }

    mutating func append(_ byte: UInt8) {
        storage[count] = byte
        count += 1
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    mutating func cut(to count: Int) { self.count = count }

    /// Ends a string that begins at a place: its length stands behind it. An escaped string is at
    /// least three bytes shorter than what stands for it, so there is room.
    mutating func end(stringFrom start: Int) -> Int {
        let end = count
        append(UInt8(truncatingIfNeeded: end - start))
        append(UInt8(truncatingIfNeeded: (end - start) >> 8))
        return end
    }

    /// The string in a scratch that ends at a place.
    static func string(endingAt end: Int, in bytes: UnsafeRawBufferPointer)
        -> UnsafeRawBufferPointer
    {
        let count = Int(bytes[end]) | Int(bytes[end + 1]) << 8
        return UnsafeRawBufferPointer(rebasing: bytes[end - count..<end])
    }
}

/// The values of a line's known keys, and where its unknown keys stand.
struct Tokens: ~Copyable {
    /// How many tokens there are: one a key, and one for what is none.
    static let count = Key.allCases.count + 1

    /// One token a key, valid where the key is in `present`.
    let byKey: UnsafeMutablePointer<Token>
    var present = KeySet()
    /// The type, where the fast scanner found it.
    var type: EventType?
    /// Whether the fast scanner scanned the line, so that every byte is plain ASCII.
    var isPlain = false
    /// Whether the keys of such a line stand in the canonical order.
    var isOrdered = false
    /// Whether every time and integer of an event of the line is written canonically.
    var isOrdinary = false
    /// Whether the line left more behind than tokens: notes, unescaped bytes, unknown keys.
    var hasLeftovers = false
    /// The places of keys that no type has: the first byte and the number of bytes, quotes too.
    var unknown: [(start: Int, count: Int)] = []
    /// What is wrong with the first number that is no integer of the format, wherever it stands.
    var wrongNumber: Diagnostic?
    var scratch = Scratch()

    init() {
        byKey = .allocate(capacity: Tokens.count)
        byKey.initialize(repeating: Token(), count: Tokens.count)
    }

    deinit { byKey.deallocate() }

    mutating func reset() {
        present = KeySet()
        (type, isPlain, isOrdered, isOrdinary, hasLeftovers) = (nil, false, false, false, false)
        unknown.removeAll(keepingCapacity: true)
        wrongNumber = nil
        scratch.cut(to: 0)
    }

    /// Takes in what the fast scanner found.
    @inline(__always)
    mutating func take(_ scanned: FastScanner.Scanned) {
        present = scanned.present
        type = scanned.type
        isOrdered = scanned.isOrdered
        isPlain = true
    }

    @inline(__always)
    subscript(key: Key) -> Token {
        get { byKey[Int(key.rawValue)] }
        nonmutating set { byKey[Int(key.rawValue)] = newValue }
    }
}
