/// Every rule, in the order of rules.md.
public enum RuleCatalogue {
    /// All rules.
    public static let all: [any Rule.Type] = delivery + queue + receipt + subscription + log

    /// The rule with an id, or whose id is the only one with this prefix; `nil` if there is none.
    public static func find(_ name: String) -> (any Rule.Type)? {
        if let exact = all.first(where: { $0.id == name }) { return exact }
        let matches = all.filter { $0.id.hasPrefix(name) }
        return matches.count == 1 ? matches[0] : nil
    }
}
