import PurchaseEvents

/// Why a mutation that changes a projection may go unnoticed by every rule.
///
/// The reasons are stories in `Stories/Mutations`: the title names mutations, `at: TYPE, …` the
/// types of the events, or `all`, and `because: REASON` says why.
struct MutationReason: Sendable {
    /// The mutation names and event types; the reason covers every pair.
    let mutations: [String]
    let types: EventTypes
    let reason: String

    /// The reasons for mutations of the samples.
    static let all = reasons("samples")
    /// The further reasons for mutations of histories of today's store.
    static let ofToday = reasons("today")

    /// The reasons for a mutation of an event type; exactly one if the table is right.
    static func of(
        _ mutation: String, _ type: EventType, ofToday: Bool = false
    ) -> [MutationReason] {
        (all + (ofToday ? MutationReason.ofToday : [])).filter {
            $0.mutations.contains(mutation) && $0.types.contains(type)
        }
    }

    private static func reasons(_ name: String) -> [MutationReason] {
        let file = StoryFile(url: StoryFile.folder.appending(path: "Mutations/\(name).stories"))
        do {
            return try file.stories().map { try MutationReason($0) }
        } catch {
            preconditionFailure("\(file): \(error)")
        }
    }

    private init(_ story: StoryFile.Story) throws {
        let lines = story.lines.filter { !$0.hasPrefix("# ") }
        guard lines.count == 2, let types = lines[0].wholeMatch(of: /at: (.+)/)?.1,
            let reason = lines[1].wholeMatch(of: /because: (.+)/)?.1
        else { throw StoryFile.Mistake("\(story.title): expected `at: ` and `because: `") }
        mutations = story.title.split(separator: "; ").map(String.init)
        self.reason = String(reason)
        self.types =
            types == "all"
            ? .all
            : try types.split(separator: ", ").reduce(into: []) { types, name in
                guard let type = EventType(wireName: String(name)) else {
                    throw StoryFile.Mistake("\(story.title): no type is called \(name)")
                }
                types.insert(EventTypes(type))
            }
    }
}
