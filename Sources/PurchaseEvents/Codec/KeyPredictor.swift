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

    /// A key as it stands in a line: quotes, colon and all, in up to 24 bytes.
    struct Pattern {
        private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
        private var masks: (UInt64, UInt64, UInt64) = (0, 0, 0)
        private(set) var count = 0

        init(_ key: Key) {
            let bytes = Array("\"\(key.wireName)\":".utf8)
            precondition(bytes.count <= 24, "a key of at most 21 bytes")
            count = bytes.count
            bytes.withUnsafeBytes {
                words.0 = $0.paddedWord(at: 0)
                if count > 8 { words.1 = $0.paddedWord(at: 8) }
                if count > 16 { words.2 = $0.paddedWord(at: 16) }
            }
            func mask(_ offset: Int) -> UInt64 {
                let left = min(max(count - offset, 0), 8)
                return left == 0 ? 0 : ~0 >> UInt64((8 - left) * 8)
            }
            masks = (mask(0), mask(8), mask(16))
        }

        /// Whether the key stands at a place of a line.
        @inline(__always)
        func stands(at place: Int, in line: UnsafeRawPointer, _ count: Int) -> Bool {
            guard place &+ 24 <= count else { return standsNearTheEnd(place, line, count) }
            let first = (Pattern.word(line, place) & masks.0) ^ words.0
            let second = (Pattern.word(line, place &+ 8) & masks.1) ^ words.1
            let third = (Pattern.word(line, place &+ 16) & masks.2) ^ words.2
            return first | second | third == 0
        }

        @inline(never)
        private func standsNearTheEnd(
            _ place: Int, _ line: UnsafeRawPointer, _ count: Int
        ) -> Bool {
            guard place &+ self.count <= count else { return false }
            let bytes = UnsafeRawBufferPointer(start: line + place, count: self.count)
            return bytes.paddedWord(at: 0) == words.0
                && (self.count <= 8 || bytes.paddedWord(at: 8) == words.1)
                && (self.count <= 16 || bytes.paddedWord(at: 16) == words.2)
        }

        @inline(__always)
        private static func word(_ line: UnsafeRawPointer, _ place: Int) -> UInt64 {
            UInt64(littleEndian: line.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
    }

    let patterns: UnsafeMutablePointer<Pattern>
    /// What is expected, by ``Place/index``.
    let steps: UnsafeMutablePointer<Step>
    private static let typeCount = EventType.allCases.count + 1

    /// A predictor, to be deallocated by who made it.
    init() {
        patterns = .allocate(capacity: Key.allCases.count)
        for key in Key.allCases {
            patterns.advanced(by: Int(key.rawValue)).initialize(to: Pattern(key))
        }
        let first = Step(key: .seq, rank: 1, length: 0)
        steps = .allocate(capacity: KeyPredictor.typeCount * 128)
        steps.initialize(repeating: first, count: KeyPredictor.typeCount * 128)
    }

    func deallocate() {
        patterns.deallocate()
        steps.deallocate()
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
