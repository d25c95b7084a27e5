import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// What one rule found, in numbers.
struct SummaryRow {
    var rule: RuleInfo
    /// The gravest level that the rule found.
    var level: Level
    var findings = 0
    var accounts = 0
    var transactions = 0
    var stake = Stake()
    /// The first finding that the page shows; `nil` where it shows none.
    var first: ReportFinding?
}

extension Stake {
    /// The amounts in words, by currency; empty where there is none.
    var words: String {
        byCode.map { "\(Words.amount($0.thousandths)) \($0.code)" }.joined(separator: ", ")
    }

    /// A number to sort by: the sum over all currencies.
    var order: Int { Int(clamping: amounts.values.reduce(0, +)) }
}
