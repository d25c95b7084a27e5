import PurchaseEvents

/// The `id`s of merged events with what the events say, as fingerprints.
struct MergedIDs {
    private var contents: [Fingerprint: Fingerprint] = [:]
    /// What else events of an `id` say.
    private var others: [Fingerprint: [Fingerprint]] = [:]

    /// What is known of an event's `id`.
    enum Outcome {
        /// No event before has it.
        case new
        /// An equal event before has it.
        case repeated
        /// Only events before that say something else have it.
        case conflicting
    }

    /// Adds an event.
    mutating func insert(_ id: Fingerprint, saying content: Fingerprint) -> Outcome {
        guard let known = contents[id] else {
            contents[id] = content
            return .new
        }
        if known == content || others[id]?.contains(content) == true { return .repeated }
        others[id, default: []].append(content)
        return .conflicting
    }
}
