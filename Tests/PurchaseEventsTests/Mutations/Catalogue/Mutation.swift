import PurchaseEvents

/// A fault that a recorder, an app or a server might make: a pure function from a log and a place
/// in it to the logs in which the fault was made there.
struct Mutation: Sendable {
    let name: String
    /// The mutants of a place, none where the fault can't be made there.
    let mutants: @Sendable ([MutableRow], Int) -> [[MutableRow]]

    init(
        _ name: String,
        _ mutants: @escaping @Sendable ([MutableRow], Int) -> [[MutableRow]]
    ) {
        self.name = name
        self.mutants = mutants
    }

    /// Another value for a key, at each event that has it; `values` is told what is said there.
    init(
        _ name: String, _ key: Key, of types: EventTypes = .all,
        _ values: @escaping @Sendable (MutableRow) -> [String?]
    ) {
        self.init(name) { log, index in
            guard types.contains(log[index].type), log[index].kind(of: key) != nil else {
                return []
            }
            return values(log[index]).flatMap {
                log.replacing(index, by: log[index].saying($0, for: key))
            }
        }
    }

    /// A time of an event that names one, moved.
    init(_ name: String, _ key: Key, of types: EventTypes = .all, by step: Int64) {
        self.init(name, key, of: types) { row in
            row.time(key).map { [$0.advanced(byMilliseconds: step).text] } ?? []
        }
    }

    /// Another word for a word of a closed list.
    init(_ name: String, _ key: Key, of types: EventTypes = .all, _ from: String, _ to: String) {
        self.init(name, key, of: types) { $0[key] == from ? [to] : [] }
    }

    /// The same fault at every third event only: for one that is noticed, or not, wherever it is.
    var atEveryThird: Mutation {
        Mutation(name) { log, index in index % 3 == 2 ? mutants(log, index) : [] }
    }

    static let all = ofOrder + ofEnvelope + ofNames + ofTimes + ofWords + ofAdditions

    static let year = 365 * Timestamp.day
}
