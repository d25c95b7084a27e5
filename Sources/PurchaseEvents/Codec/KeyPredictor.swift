/// Guesses the next key of a line from what followed the same key in the last line of the same
/// type: a right guess costs one comparison, a wrong one nothing but that.
struct KeyPredictor: @unchecked Sendable {
    /// Where in a line a scanner is: behind which key, in which type of event.
    struct Place {
        /// 0 until the type is known, then one more than the type's number.
        fileprivate var type = 0
        /// 0 at the start, then one more than the key's number.
        fileprivate var key = 0

        @inline(__always)
        mutating func passed(_ key: Key) { self.key = Int(key.rawValue) &+ 1 }

        /// Takes in the type of the event; an unknown one predicts like none.
        @inline(__always)
        mutating func saw(typeName: UnsafeRawBufferPointer) {
            type = EventType.names.find(typeName).map { Int($0.rawValue) &+ 1 } ?? 0
        }
    }

    /// A key as it stands in a line: quotes, colon and all, in up to 24 bytes.
    struct Pattern {
        fileprivate var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
        fileprivate var lastMask: UInt64 = 0
        fileprivate(set) var count = 0

        init(_ key: Key) {
            let bytes = Array("\"\(key.wireName)\":".utf8)
            precondition(bytes.count <= 24, "a key of at most 21 bytes")
            count = bytes.count
            bytes.withUnsafeBytes {
                words.0 = $0.paddedWord(at: 0)
                if count > 8 { words.1 = $0.paddedWord(at: 8) }
                if count > 16 { words.2 = $0.paddedWord(at: 16) }
            }
            lastMask = ~0 >> UInt64((24 - count) % 8 * 8)
        }

        /// Whether the key stands at a place of a line.
        @inline(__always)
        func matches(_ line: UnsafeRawBufferPointer, at place: Int) -> Bool {
            // A line that ends within the last word is left to the scanner of other keys.
            guard place &+ 24 <= line.count else { return false }
            let first = Pattern.word(line, place)
            if count <= 8 { return first & lastMask == words.0 }
            let second = Pattern.word(line, place &+ 8)
            if count <= 16 { return (first ^ words.0) | (second & lastMask ^ words.1) == 0 }
            let third = Pattern.word(line, place &+ 16)
            return (first ^ words.0) | (second ^ words.1) | (third & lastMask ^ words.2) == 0
        }

        @inline(__always)
        private static func word(_ line: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
            UInt64(littleEndian: line.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
    }

    private let patterns: UnsafeMutablePointer<Pattern>
    private let followers: UnsafeMutablePointer<Key>
    private static let keyCount = Key.allCases.count + 1
    private static let typeCount = EventType.allCases.count + 1

    /// A predictor, to be deallocated by who made it.
    init() {
        patterns = .allocate(capacity: Key.allCases.count)
        for key in Key.allCases {
            patterns.advanced(by: Int(key.rawValue)).initialize(to: Pattern(key))
        }
        followers = .allocate(capacity: KeyPredictor.typeCount * 128)
        followers.initialize(repeating: .seq, count: KeyPredictor.typeCount * 128)
    }

    func deallocate() {
        patterns.deallocate()
        followers.deallocate()
    }

    @inline(__always)
    func next(at place: Place) -> Key { followers[place.type &* 128 &+ place.key] }

    @inline(__always)
    func pattern(of key: Key) -> Pattern { patterns[Int(key.rawValue)] }

    func learn(_ key: Key, at place: Place) { followers[place.type &* 128 &+ place.key] = key }
}
