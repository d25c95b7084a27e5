/// Guesses the next key of a line, and how long its value is, from what followed the same key in
/// the last line of the same type: a right guess costs a comparison, a wrong one little more.
struct KeyPredictor {
    /// Where in a line a scanner is: behind which key, in which type of event.
    struct Place {
        /// 0 until the type is known, then one more than the type's number.
        fileprivate var type = 0
        /// 0 at the start, then one more than the key's number.
        private var key = 0

        /// The index of what is expected here.
        @inline(__always)
        var index: Int { type &* Key.room &+ key }

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

    /// The keys as they stand in lines.
    let patterns = KeyPatterns.shared
    /// The types by their names, at hand without asking whether the list was made.
    let types = EventType.names
    /// What is expected, by ``Place/index``.
    let steps: UnsafeMutablePointer<Step>
    private static let typeCount = EventType.allCases.count + 1

    /// A predictor, to be deallocated by whoever made it.
    init() {
        precondition(Key.allCases.count < Key.room - 1, "a key has no place in the tables")
        let first = Step(key: .seq, rank: 1, length: 0)
        steps = .allocate(capacity: KeyPredictor.typeCount * Key.room)
        steps.initialize(repeating: first, count: KeyPredictor.typeCount * Key.room)
    }

    func deallocate() { steps.deallocate() }

    func learn(_ key: Key, at place: Place) {
        let rank = KeyPredictor.ranks[place.type * Key.room + Int(key.rawValue)]
        steps[place.index] = Step(key: key, rank: rank, length: 0)
    }

    /// The rank of each key in each type; before the type is known only its first keys have one.
    private static let ranks: [UInt8] = {
        var ranks = [UInt8](repeating: 0, count: typeCount * Key.room)
        func rank(_ keys: [Key], _ type: Int) {
            for (index, key) in keys.enumerated() {
                ranks[type * Key.room + Int(key.rawValue)] = UInt8(index + 1)
            }
        }
        rank([.seq, .at, .type], 0)
        for type in EventType.allCases {
            rank(type.canonicalFields.map(\.key), Int(type.rawValue) + 1)
        }
        return ranks
    }()
}
