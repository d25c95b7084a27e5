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
