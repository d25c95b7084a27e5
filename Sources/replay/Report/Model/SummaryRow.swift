import PurchaseEvents
import PurchaseProjections

/// What one rule found, in numbers.
struct SummaryRow {
    var rule: any Rule.Type
    /// The gravest level that the rule found.
    var level: Level
    var findings = 0
    var accounts = 0
    var transactions = 0
    var stake = Stake()
    /// The first finding that the page shows; `nil` where it shows none.
    var first: ReportFinding?
}

/// Sums of money by currency, in thousandths.
struct Stake: Hashable {
    private(set) var amounts: [Currency: Int128] = [:]

    var isEmpty: Bool { amounts.isEmpty }

    mutating func add(_ thousandths: Int128, of currency: Currency) {
        amounts[currency, default: 0] += thousandths
    }

    mutating func add(_ other: Stake) {
        for (currency, amount) in other.amounts { add(amount, of: currency) }
    }

    /// The amounts in words, by currency; empty where there is none.
    var words: String {
        amounts.sorted { $0.key.code < $1.key.code }.map { currency, amount in
            "\(Words.amount(Int64(clamping: amount))) \(currency.code)"
        }.joined(separator: ", ")
    }

    /// A number to sort by: the sum over all currencies.
    var order: Int { Int(clamping: amounts.values.reduce(0, +)) }
}
