/// The values of a line's known keys, and the places of its unknown keys.
struct Tokens: ~Copyable {
    /// The number of tokens: one for each key, and a spare one for the empty tokens of a shape.
    static let count = Key.allCases.count + 1

    /// One token for each key, valid only if `present` has the key.
    let byKey: UnsafeMutablePointer<Token>
    var present = KeySet()
    var type: EventType?
    /// Whether the fast scanner read the line, so every byte is plain ASCII.
    var isPlain = false
    var isOrdered = false
    /// Whether every time and integer of the event is written canonically.
    var areValuesCanonical = false
    /// Whether the line may have left more than tokens: notes, unescaped bytes or unknown keys.
    var mayHaveExtras = false
    /// The places of unknown keys: the offset and length in bytes, including quotes.
    var unknown: [(start: Int, count: Int)] = []
    /// The problem of the first number that the format doesn't allow, at any depth.
    var wrongNumber: Diagnostic?
    var scratch = Scratch()

    init() {
        byKey = .allocate(capacity: Tokens.count)
        byKey.initialize(repeating: Token(start: 0, count: 0, form: .null), count: Tokens.count)
    }

    deinit { byKey.deallocate() }

    mutating func reset() {
        present = KeySet()
        (type, isPlain, isOrdered) = (nil, false, false)
        (areValuesCanonical, mayHaveExtras) = (false, false)
        unknown.removeAll(keepingCapacity: true)
        wrongNumber = nil
        scratch.cut(to: 0)
    }

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
