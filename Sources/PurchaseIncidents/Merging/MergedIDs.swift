import PurchaseEvents

/// The `id`s of merged events, with fingerprints of the events' content.
struct MergedIDs {
    private var contents: [Fingerprint: Fingerprint] = [:]
    /// Further contents of events with the same `id`.
    private var others: [Fingerprint: Set<Fingerprint>] = [:]

    /// Whether an event's `id` was used before: never, for the same content, or only for others.
    enum Outcome { case new, repeated, conflicting }

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
