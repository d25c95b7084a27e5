/// Guesses the next key of a line, and how long its value is, from what followed the same key in
/// the last line of the same type: a right guess costs a comparison, a wrong one little more.
struct KeyPredictor: @unchecked Sendable {
    /// Where in a line a scanner is: behind which key, in which type of event.
    struct Place {
        /// 0 until the type is known, then one more than the type's number.
        fileprivate var type = 0
        /// 0 at the start, then one more than the key's number.
        private var key = 0

        /// The index of what is expected here.
        @inline(__always)
        var index: Int { type &* 128 &+ key }

        @inline(__always)
        mutating func passed(_ key: Key) { self.key = Int(key.rawValue) &+ 1 }

        /// Takes in the type of the event; an unknown one predicts like none.
        @inline(__always)
        mutating func saw(_ type: EventType?) {
            self.type = type.map { Int($0.rawValue) &+ 1 } ?? 0
        }
    }

    /// What is expected at a place.
    struct Step {
        var key: Key
        /// The position of the key among those of the type in the canonical order, from 1; 0 for
        /// one that the type doesn't have.
        var rank: UInt8
        /// How far its last value's closing quote lay from the opening one; 0 where it had none.
        var length: UInt16
    }

    /// Keys as they stand in a line, quotes, colon and all: for each the three words that they
    /// are, the three masks of what counts, and the number of their bytes.
    private let patterns: UnsafeMutablePointer<UInt64>
    /// The types by their names, at hand without asking whether the list was made.
    let types = EventType.names
    /// What is expected, by ``Place/index``.
    let steps: UnsafeMutablePointer<Step>
    private static let typeCount = EventType.allCases.count + 1

    /// A predictor, to be deallocated by who made it.
    init() {
        patterns = .allocate(capacity: Key.allCases.count * 8)
        for key in Key.allCases {
            patterns.advanced(by: Int(key.rawValue) * 8).initialize(
                from: KeyPredictor.pattern(of: key), count: 8)
        }
        let first = Step(key: .seq, rank: 1, length: 0)
        steps = .allocate(capacity: KeyPredictor.typeCount * 128)
        steps.initialize(repeating: first, count: KeyPredictor.typeCount * 128)
    }

    func deallocate() {
        patterns.deallocate()
        steps.deallocate()
    }

    private static func pattern(of key: Key) -> [UInt64] {
        let (words, count) = QuotedKeys.shared.words(of: key)
        let masks = [0, 8, 16].map { offset -> UInt64 in
            let left = min(max(count - offset, 0), 8)
            return left == 0 ? 0 : ~0 >> UInt64((8 - left) * 8)
        }
        return words + masks + [UInt64(count), 0]
    }

    /// The number of bytes of a key with its quotes and colon, where it stands at a place of a
    /// line; else `nil`.
    @inline(__always)
    func length(of key: Key, at place: Int, in line: UnsafeRawPointer, _ count: Int) -> Int? {
        let pattern = patterns + Int(key.rawValue) &* 8
        let length = Int(truncatingIfNeeded: pattern[6])
        guard place &+ 24 <= count else {
            return KeyPredictor.standsNearTheEnd(pattern, line + place, count &- place, length)
                ? length : nil
        }
        let first = (line.word(at: place) & pattern[3]) ^ pattern[0]
        let second = (line.word(at: place &+ 8) & pattern[4]) ^ pattern[1]
        let third = (line.word(at: place &+ 16) & pattern[5]) ^ pattern[2]
        return first | second | third == 0 ? length : nil
    }

    @inline(never)
    private static func standsNearTheEnd(
        _ pattern: UnsafeMutablePointer<UInt64>, _ line: UnsafeRawPointer, _ left: Int,
        _ length: Int
    ) -> Bool {
        guard length <= left else { return false }
        let bytes = UnsafeRawBufferPointer(start: line, count: length)
        return bytes.paddedWord(at: 0) == pattern[0]
            && (length <= 8 || bytes.paddedWord(at: 8) == pattern[1])
            && (length <= 16 || bytes.paddedWord(at: 16) == pattern[2])
    }

    func learn(_ key: Key, at place: Place) {
        let rank = KeyPredictor.ranks[place.type * 128 + Int(key.rawValue)]
        steps[place.index] = Step(key: key, rank: rank, length: 0)
    }

    /// The rank of each key in each type; before the type is known only its first keys have one.
    private static let ranks: [UInt8] = {
        var ranks = [UInt8](repeating: 0, count: typeCount * 128)
        func rank(_ keys: [Key], _ type: Int) {
            for (index, key) in keys.enumerated() {
                ranks[type * 128 + Int(key.rawValue)] = UInt8(index + 1)
            }
        }
        rank([.seq, .at, .type], 0)
        for type in EventType.allCases {
            rank(type.canonicalFields.map(\.key), Int(type.rawValue) + 1)
        }
        return ranks
    }()
}
