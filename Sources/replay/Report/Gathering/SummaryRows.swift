import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

extension FindingSummary {
    /// The rows of the rules with findings, the gravest first.
    func rows(_ model: ReportModel) -> [SummaryRow] {
        var first: [String: ReportFinding] = [:]
        for finding in model.findings where first[finding.remark.code] == nil {
            first[finding.remark.code] = finding
        }
        let rows = model.tallies.filter { $0.findings > 0 }.map { tally in
            let found = self[tally.rule.id]
            let gravest = Level.allCases.reversed().first { tally.counts[$0, default: 0] > 0 }
            return SummaryRow(
                rule: tally.rule, level: gravest ?? tally.rule.level, findings: tally.findings,
                accounts: found?.accounts ?? 0, transactions: found?.transactions ?? 0,
                stake: found?.stake ?? Stake(), first: first[tally.rule.id])
        }
        return rows.enumerated().sorted {
            ($0.element.level.rank, $0.offset) < ($1.element.level.rank, $1.offset)
        }.map(\.element)
    }
}
