import PurchaseEvents

/// The single `log.opened` of a merged log: the earliest one, with only the `app` and `writer` on
/// which the logs agree.
struct MergedOpening {
    /// The line; `nil` if no log begins with a `log.opened`.
    private(set) var line: [UInt8]?
    /// The environment of lines that name none in the merged log: production if any log has it,
    /// else the environment of the first log.
    let environment: Environment
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
