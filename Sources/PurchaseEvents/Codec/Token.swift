/// The form of a value as it stands in a line, before its key says what it should be.
enum TokenForm: UInt8 {
    case string, escapedString, integer, fraction, yes, no, null, container
}

/// A value of a top-level key: where it stands, unconverted.
struct Token {
    /// The first byte of the value, counted from the start of the line: the quote of a string.
    var start: UInt32 = 0
    /// The number of bytes of the value, both quotes included.
    var count: UInt32 = 0
    /// Where the unescaped bytes of an escaped string lie in the scanner's scratch.
    var scratchStart: UInt32 = 0
    /// The number of the unescaped bytes.
    var scratchCount: UInt32 = 0
    var form: TokenForm = .null
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
}

/// The values of a line's known keys, and where its unknown keys stand.
struct Tokens: ~Copyable {
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
    var scratch = Scratch()

    init() {
        byKey = .allocate(capacity: Key.allCases.count)
        byKey.initialize(repeating: Token(), count: Key.allCases.count)
    }

    deinit { byKey.deallocate() }

    mutating func reset() {
        present = KeySet()
        (type, isPlain, isOrdered, isOrdinary, hasLeftovers) = (nil, false, false, false, false)
        unknown.removeAll(keepingCapacity: true)
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
