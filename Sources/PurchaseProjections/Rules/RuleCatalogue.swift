/// Every rule, in the order of rules.md.
public enum RuleCatalogue {
    /// All rules.
    public static let all: [any Rule.Type] = rules.map { $0 }

    private static let rules = delivery + queue + receipt + subscription + log

    /// All rules in the form that a ``Check`` runs, by type: describing a rule takes longer than
    /// looking it up.
    static let checked = Dictionary(
        uniqueKeysWithValues: rules.map { (ObjectIdentifier($0), CheckedRule(own: $0)) })

    /// The rule with an id, or the only rule whose id begins with `name`; `nil` if there is none.
    public static func find(_ name: String) -> (any Rule.Type)? {
        if let exact = all.first(where: { $0.id == name }) { return exact }
        let matches = all.filter { $0.id.hasPrefix(name) }
        return matches.count == 1 ? matches[0] : nil
    }
}
