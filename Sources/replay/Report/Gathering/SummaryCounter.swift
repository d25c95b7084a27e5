import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// Sums up the findings of all logs by rule, and the money at stake over all rules.
struct SummaryCounter {
    private struct Name: Hashable {
        var log: Int
        var transaction: Int
    }

    private var summary = FindingSummary()
    private var staked: Set<Name> = []
    /// The money at stake over all rules, each transaction counted once.
    private(set) var total = Stake()

    /// Adds the findings of a log.
    mutating func add(_ findings: [Finding], log: Int, _ facts: Facts, _ dates: LineDates) {
        summary.add(findings, facts, dates)
        for finding in findings {
            let stake = Stake(of: finding, facts)
            guard !stake.isEmpty, let key = finding.key,
                let transaction = facts.transaction(named: key)
            else { continue }
            let name = Name(log: log, transaction: transaction.index)
            if staked.insert(name).inserted { total.add(stake) }
        }
    }

    /// The rows of the rules with findings, the gravest first.
    func rows(_ model: ReportModel) -> [SummaryRow] {
        var first: [String: ReportFinding] = [:]
        for finding in model.findings where first[finding.remark.code] == nil {
            first[finding.remark.code] = finding
        }
        let tallies = Dictionary(
            model.tallies.map { ($0.rule.id, $0) }, uniquingKeysWith: { first, _ in first })
        return summary.rows.compactMap { row in
            tallies[row.rule].map {
                SummaryRow(
                    rule: $0.rule, findings: $0.findings, row: row, first: first[row.rule])
            }
        }
    }
}

extension Level {
    /// The place of a level in a table: the gravest first.
    var place: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .note: 2
        }
    }
}
