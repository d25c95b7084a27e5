import PurchaseEvents

/// Why nobody needs to notice a mutation, or which hole it shows.
struct MutationReason: Sendable {
    /// The mutations by name.
    let mutations: Set<String>
    /// The types of the mutated event.
    let types: EventTypes
    let reason: String

    init(_ mutations: Set<String>, _ types: EventTypes = .all, _ reason: String) {
        self.mutations = mutations
        self.types = types
        self.reason = reason
    }

    /// The first reason of the table for a mutation at an event of a type.
    static func of(_ mutation: String, _ type: EventType) -> MutationReason? {
        all.first { $0.applies(to: mutation, type) }
    }

    func applies(to mutation: String, _ type: EventType) -> Bool {
        mutations.contains(mutation) && types.contains(type)
    }

    static let all: [MutationReason] = []
}
