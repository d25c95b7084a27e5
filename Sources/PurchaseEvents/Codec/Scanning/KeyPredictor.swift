/// Guesses the next key of a line and the length of its value: those that followed the same key in
/// the last line of the same type. A wrong guess costs little more than a right one.
struct KeyPredictor {
    /// The scanner's position in a line: the last key read, and the type of event if known.
    struct Place {
        /// 0 until the type is known, then the type's number plus one.
        fileprivate var type = 0
        /// 0 at the start, then the last key's number plus one.
        private var key = 0

        @inline(__always)
        var index: Int { type &* Key.room &+ key }

        @inline(__always)
        mutating func passed(_ key: Key) { self.key = Int(key.rawValue) &+ 1 }

        @inline(__always)
        mutating func saw(_ type: EventType?) {
            self.type = type.map { Int($0.rawValue) &+ 1 } ?? 0
        }
    }

    struct Step {
        var key: Key
        /// The key's place in the type's canonical order, from 1; 0 if the type lacks the key.
        var rank: UInt8
        /// The bytes between the quotes of the key's last value; 0 for a value without quotes.
        var length: UInt16
    }

    let patterns = QuotedKeys.shared
    /// The types by their names, cached here so that no access checks whether the list is
    /// initialized.
    let types = EventType.names
    let steps: UnsafeMutablePointer<Step>
    private static let typeCount = EventType.allCases.count + 1

    /// Creates a predictor, which its owner must deallocate.
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

    /// The rank of each key in each type; of an unknown type, only that of the first keys.
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
