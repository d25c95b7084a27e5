import PurchaseEvents

/// Why it harms nobody that no rule notices a mutation that changes what a projection shows.
struct MutationReason: Sendable {
    /// The mutations by name, and the types of the mutated event: each pair of them.
    let mutations: [String]
    let types: EventTypes
    let reason: String

    init(_ mutations: String..., at types: EventTypes, because reason: String) {
        self.mutations = mutations
        self.types = types
        self.reason = reason
    }

    /// The reasons for a mutation at an event of a type: one, where the table is right.
    static func of(_ mutation: String, _ type: EventType) -> [MutationReason] {
        all.filter { $0.mutations.contains(mutation) && $0.types.contains(type) }
    }

    static let all = ofOrder + ofEnvelope + ofNames + ofTimes + ofWords + ofAdditions
}
