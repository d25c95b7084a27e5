import PurchaseEvents

/// The one `log.opened` of a merged log: the earliest of those that the logs begin with, with what
/// all of them agree on.
struct MergedOpening {
    /// The line; `nil` where no log begins with one.
    private(set) var line: [UInt8]?
    /// What lines of the merged log that name no environment mean: production where any log says
    /// so, otherwise what the first log says.
    let environment: Environment
    /// What logs are opened with and the merged log isn't.
    private(set) var leftOut: [LogMerger.LeftOut] = []

    init(_ heads: [MergeHead]) {
        let openings = heads.indices.filter { heads[$0].opens }
        let environments = heads.map { head in
            head.opens ? head.written?.environment ?? .production : .production
        }
        environment =
            environments.contains(.production) ? .production : environments.first ?? .production
        let first = openings.min { (heads[$0].at, $0) < (heads[$1].at, $1) }
        guard let first, let bytes = heads[first].line else { return }
        line = Array(bytes)
        guard var members = LineMembers(Array(bytes)) else { return }
        var isChanged = false
        if environments[first] != environment {
            let stated: JSONValue.Content? =
                environment == .production ? nil : .string(environment.rawValue)
            members.set(Key.environment.wireName, stated)
            isChanged = true
        }
        for key in [Key.app, .writer] {
            let stated = openings.compactMap { index in
                MergedOpening.text(of: key, heads[index]).map { (index, $0) }
            }
            guard let one = stated.first?.1 else { continue }
            if stated.allSatisfy({ $0.1.utf8.elementsEqual(one.utf8) }) {
                if !members.has(key.wireName) {
                    members.set(key.wireName, .string(one))
                    isChanged = true
                }
                continue
            }
            members.set(key.wireName, nil)
            isChanged = true
            leftOut += stated.map { .init(log: $0.0, key: key.wireName, value: $0.1) }
        }
        if isChanged { line = members.bytes }
    }

    private static func text(of key: Key, _ head: MergeHead) -> String? {
        guard case .logOpened(let opened) = head.written?.fact else { return nil }
        return key == .app ? opened.app : opened.writer
    }
}
