/// Every rule, in the order of rules.md.
public enum RuleCatalogue {
    /// All rules.
    public static let all: [any Rule.Type] = rules.map { $0 }

    private static let rules = delivery + queue + receipt + subscription + log

    private static let byType = Dictionary(
        uniqueKeysWithValues: rules.map { (ObjectIdentifier($0), $0) })

    /// The rule in the form that a ``Check`` calls; `nil` for a rule of another package.
    static func call(_ rule: any Rule.Type) -> (any CatalogueRule.Type)? {
        // Looks up the rules of the catalogue, because a cast searches all conformances.
        byType[ObjectIdentifier(rule)] ?? rule as? any CatalogueRule.Type
    }

    /// The rule with an id, or the only rule whose id begins with `name`; `nil` if there is none.
    public static func find(_ name: String) -> (any Rule.Type)? {
        if let exact = all.first(where: { $0.id == name }) { return exact }
        let matches = all.filter { $0.id.hasPrefix(name) }
        return matches.count == 1 ? matches[0] : nil
    }
}
