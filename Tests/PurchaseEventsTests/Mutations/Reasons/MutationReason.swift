import PurchaseEvents

/// Why a mutation that changes a projection may go unnoticed by every rule.
struct MutationReason: Sendable {
    /// The mutation names and event types; the reason covers every pair.
    let mutations: [String]
    let types: EventTypes
    let reason: String

    init(_ mutations: String..., at types: EventTypes, because reason: String) {
        self.mutations = mutations
        self.types = types
        self.reason = reason
    }

    /// The reasons for a mutation of an event type; exactly one if the table is right.
    static func of(
        _ mutation: String, _ type: EventType, ofToday: Bool = false
    ) -> [MutationReason] {
        (all + (ofToday ? MutationReason.ofToday : [])).filter {
            $0.mutations.contains(mutation) && $0.types.contains(type)
        }
    }

    static let all = ofOrder + ofEnvelope + ofNames + ofTimes + ofWords + ofAdditions
}
