import PurchaseEvents
import PurchaseProjections

/// Findings in numbers, a row for each rule.
public struct FindingSummary: Sendable {
    /// What one rule found.
    public struct Row: Sendable {
        /// The rule's id.
        public let rule: String
        /// The gravest level of the findings.
        public internal(set) var level: Level
        /// The number of findings.
        public internal(set) var findings = 0
        /// The number of accounts that findings name.
        public var accounts: Int { accountNames.count }
        /// The number of transactions that findings are about.
        public var transactions: Int { transactionNames.count }
        /// The money at stake, each transaction counted once.
        public internal(set) var stake = Stake()
        /// The first finding, and the number of its log.
        public internal(set) var first: (log: Int, finding: Finding)

        fileprivate var accountNames: Set<Name> = []
        fileprivate var transactionNames: Set<Name> = []
    }

    /// A name in one of several logs.
    fileprivate struct Name: Hashable, Sendable {
        let log: Int
        let bytes: [UInt8]
    }

    /// The money at stake over all rules, each transaction counted once.
    public private(set) var stake = Stake()
    private var byRule: [String: Row] = [:]
    private var staked: Set<Name> = []

    /// Creates a summary of nothing.
    public init() {}

    /// Counts findings of a log, given in the order of the lines.
    public mutating func add(_ findings: [Finding], log: Int, _ facts: Facts) {
        for finding in findings {
            var row =
                byRule[finding.rule]
                ?? Row(rule: finding.rule, level: finding.level, first: (log, finding))
            row.findings += 1
            if finding.level.rank < row.level.rank { row.level = finding.level }
            if let account = finding.account {
                row.accountNames.insert(Name(log: log, bytes: Array(account.utf8)))
            }
            if let transaction = facts.transaction(of: finding) {
                let text = facts.names.text(of: transaction)
                let name = Name(log: log, bytes: Array(text.utf8))
                let isNew = row.transactionNames.insert(name).inserted
                if isNew, let price = facts.stake(of: finding), let currency = price.currency {
                    row.stake.add(price.thousandths, of: currency)
                    if staked.insert(name).inserted {
                        stake.add(price.thousandths, of: currency)
                    }
                }
            }
            byRule[finding.rule] = row
        }
    }

    /// What a rule found; `nil` if it found nothing.
    public subscript(rule: String) -> Row? { byRule[rule] }

    /// The rows of the rules with findings: the gravest first, then those with more findings, then
    /// in the order of the catalogue.
    public var rows: [Row] {
        RuleCatalogue.all.compactMap { byRule[$0.id] }.enumerated().sorted { left, right in
            (left.element.level.rank, -left.element.findings, left.offset)
                < (right.element.level.rank, -right.element.findings, right.offset)
        }.map(\.element)
    }
}

extension Level {
    /// The place of a level among all: the gravest first.
    package var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .note: 2
        }
    }
}
