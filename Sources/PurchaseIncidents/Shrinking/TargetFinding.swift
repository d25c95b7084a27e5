import PurchaseEvents
import PurchaseProjections

/// The fault that a smaller log must still show: a rule's finding at the same level about the same
/// key, whatever its line.
public struct TargetFinding: Sendable {
    /// The rule.
    public let rule: any Rule.Type
    /// The severity.
    public let level: Level
    /// The transaction, payment, original or id at fault.
    public let key: String?

    /// Creates the description of a finding; `nil` if there is no such rule.
    public init?(_ finding: Finding) {
        guard let rule = RuleCatalogue.all.first(where: { $0.id == finding.rule }) else {
            return nil
        }
        self.rule = rule
        level = finding.level
        key = finding.key
    }

    /// Whether a finding shows the same fault.
    public func isShown(by finding: Finding) -> Bool {
        finding.rule == rule.id && finding.level == level
            && finding.key.map { Array($0.utf8) } == key.map { Array($0.utf8) }
    }
}
