import PurchaseIncidents
import PurchaseProjections

extension FindingSummary {
    func rows(_ model: ReportModel) -> [SummaryRow] {
        var first: [String: ReportFinding] = [:]
        for finding in model.findings where first[finding.remark.code] == nil {
            first[finding.remark.code] = finding
        }
        let tallies = Dictionary(
            model.tallies.map { ($0.rule.id, $0) }, uniquingKeysWith: { first, _ in first })
        return rows.compactMap { row in
            tallies[row.rule].map {
                SummaryRow(rule: $0.rule, findings: $0.findings, row: row, first: first[row.rule])
            }
        }
    }
}
