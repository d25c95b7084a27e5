import PurchaseEvents

/// A fault that a recorder, an app or a server might make: a pure function from a log and a place
/// to the logs with the fault at that place.
struct Mutation: Sendable {
    let name: String
    /// The mutants of a place; empty if the fault can't occur there.
    let mutants: @Sendable ([MutableRow], Int) -> [[MutableRow]]

    init(
        _ name: String,
        _ mutants: @escaping @Sendable ([MutableRow], Int) -> [[MutableRow]]
    ) {
        self.name = name
        self.mutants = mutants
    }

    /// Replaces the value of a key, at each event that has the key; `values` gets the event.
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

    /// Moves a time of an event.
    init(_ name: String, _ key: Key, of types: EventTypes = .all, by step: Int64) {
        self.init(name, key, of: types) { row in
            row.time(key).map { [$0.advanced(byMilliseconds: step).text] } ?? []
        }
    }

    /// Replaces one word of a closed list by another.
    init(_ name: String, _ key: Key, of types: EventTypes = .all, _ from: String, _ to: String) {
        self.init(name, key, of: types) { $0[key] == from ? [to] : [] }
    }

    /// The same fault at every third event only, because the place makes no difference.
    var atEveryThird: Mutation {
        Mutation(name) { log, index in index % 3 == 2 ? mutants(log, index) : [] }
    }

    static let all = ofOrder + ofEnvelope + ofNames + ofTimes + ofWords + ofAdditions

    static let year = 365 * Timestamp.day
}
