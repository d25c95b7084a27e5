import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// What one rule found, in numbers.
struct SummaryRow {
    var rule: RuleInfo
    /// The number of all findings, even of those that the page doesn't show.
    var findings: Int
    /// The gravest level, the accounts, the transactions and the money at stake.
    var row: FindingSummary.Row
    /// The first finding that the page shows; `nil` where it shows none.
    var first: ReportFinding?
}

extension Stake {
    /// The sums in words, by currency; empty where there is none.
    var words: String {
        sorted.map { "\(Words.amount(Int64(clamping: $0.amount))) \($0.currency)" }
            .joined(separator: ", ")
    }

    /// A number to sort by: the sum over all currencies.
    var order: Int { Int(clamping: amounts.values.reduce(0, +)) }
}
