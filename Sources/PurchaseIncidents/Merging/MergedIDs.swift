import PurchaseEvents

/// The `id`s of merged events, with fingerprints of the events' content.
struct MergedIDs {
    private var contents: [Fingerprint: Fingerprint] = [:]
    /// Further contents of events with the same `id`.
    private var others: [Fingerprint: Set<Fingerprint>] = [:]

    /// Whether an event's `id` was used before.
    enum Outcome {
        /// No earlier event has the `id`.
        case new
        /// An earlier event with the `id` has the same content.
        case repeated
        /// Only earlier events with different content have the `id`.
        case conflicting
    }

    mutating func insert(_ id: Fingerprint, saying content: Fingerprint) -> Outcome {
        guard let known = contents[id] else {
            contents[id] = content
            return .new
        }
        if known == content || others[id]?.contains(content) == true { return .repeated }
        others[id, default: []].insert(content)
        return .conflicting
    }
}
