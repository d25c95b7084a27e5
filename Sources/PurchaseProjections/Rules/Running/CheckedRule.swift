import PurchaseEvents

/// The description of a rule, whether the rule is written in Swift or in a rule file.
public struct RuleInfo: Hashable, Sendable {
    /// The rule's name in kebab-case, which says what must hold.
    public var id: String
    /// The severity of a violation.
    public var level: Level
    /// The property that must hold, in one or a few sentences.
    public var statement: String
    /// The guide facts (`G4.7`) and incident themes (`I1`) that the rule rests on; for a rule of a
    /// rule file, its file and line.
    public var evidence: [String]
    /// The lines of a log that must be checked together.
    public var scope: RuleScope

    /// Creates the description of a rule.
    public init(
        id: String, level: Level, statement: String, evidence: [String], scope: RuleScope = .whole
    ) {
        self.scope = scope
        self.id = id
        self.level = level
        self.statement = statement
        self.evidence = evidence
    }

    /// The description of a rule written in Swift.
    public init(_ rule: any Rule.Type) { self = CheckedRule(rule).info }

    fileprivate init(_ rule: any Rule.Type, scope: RuleScope) {
        self.init(
            id: rule.id, level: rule.level, statement: rule.statement, evidence: rule.evidence,
            scope: scope)
    }
}

/// A rule that a ``Check`` can run, written in Swift or in a rule file.
public struct CheckedRule: Sendable {
    /// The description of the rule.
    public let info: RuleInfo
    /// The rule's Swift type; `nil` for a rule of a rule file.
    let rule: (any Rule.Type)?
    /// Creates the rule at the beginning of a log; the argument is the number of findings to keep,
    /// 0 for all.
    let runner: @Sendable (Int) -> RuleRunner

    /// Whether the rule's state can be kept in a snapshot.
    package let isSnapshotted: Bool

    /// Creates a rule from its Swift type.
    public init(_ rule: any Rule.Type) {
        if let known = RuleCatalogue.checked[ObjectIdentifier(rule)] {
            self = known
        } else if let rule = rule as? any CatalogueRule.Type {
            self.init(own: rule)
        } else {
            self.init(foreign: rule)
        }
    }

    init(own rule: any CatalogueRule.Type) {
        let info = RuleInfo(rule, scope: rule.scope)
        (self.info, self.rule, isSnapshotted) = (info, rule, true)
        runner = { rule.runner(info, limit: $0) }
    }

    private init<R: Rule>(foreign rule: R.Type) {
        let info = RuleInfo(rule, scope: .whole)
        (self.info, self.rule, isSnapshotted) = (info, rule, rule is any Snapshotted.Type)
        runner = { RuleRunner(ForeignRule<R>(), Report(info, limit: $0), info, R.reads) }
    }
}
