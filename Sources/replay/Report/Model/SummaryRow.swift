import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

struct SummaryRow {
    var rule: RuleInfo
    /// The number of all findings, including those not on the page.
    var findings: Int
    /// The most severe level, the accounts, the transactions and the money at stake, counted over
    /// the findings that the rule keeps in each log.
    var row: FindingSummary.Row
    var first: ReportFinding?
}

extension Stake {
    /// The sums by currency as text; empty if there is none.
    var words: String {
        sorted.map { "\(TextFormat.amount(Int64(clamping: $0.amount))) \($0.currency)" }
            .joined(separator: ", ")
    }

    /// The sum over all currencies, for sorting.
    var sortKey: Int { Int(clamping: amounts.values.reduce(0, +)) }
}
