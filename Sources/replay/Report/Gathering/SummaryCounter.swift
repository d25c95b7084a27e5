import PurchaseEvents
import PurchaseProjections

/// Counts what each rule found: accounts, transactions, and the money of these transactions, each
/// counted once.
struct SummaryCounter {
    private struct Name: Hashable {
        var log: Int
        var text: ExactName
    }

    private struct Count {
        var accounts: Set<Name> = []
        var transactions: Set<Name> = []
        var stake = Stake()
    }

    private var counts: [String: Count] = [:]
    private var all: Set<Name> = []
    /// The money at stake over all rules, each transaction counted once.
    private(set) var total = Stake()

    /// Counts the findings of a log.
    mutating func add(_ findings: [Finding], log: Int, _ facts: Facts) {
        for finding in findings {
            var count = counts[finding.rule] ?? Count()
            defer { counts[finding.rule] = count }
            if let account = finding.account {
                count.accounts.insert(Name(log: log, text: account.exact))
            }
            guard let key = finding.key,
                let transaction = facts.names.find(TransactionID<Written>(key))
            else { continue }
            let name = Name(log: log, text: key.exact)
            guard count.transactions.insert(name).inserted, finding.level != .note,
                let price = facts[transaction].price, let currency = price.currency
            else { continue }
            count.stake.add(Int128(price.thousandths), of: currency)
            if all.insert(name).inserted { total.add(Int128(price.thousandths), of: currency) }
        }
    }

    /// The rows of the rules with findings, the gravest first.
    func rows(_ model: ReportModel) -> [SummaryRow] {
        var first: [String: ReportFinding] = [:]
        for finding in model.findings where first[finding.remark.code] == nil {
            first[finding.remark.code] = finding
        }
        let rows = model.tallies.filter { $0.findings > 0 }.map { tally in
            let count = counts[tally.rule.id] ?? Count()
            let gravest = Level.allCases.reversed().first { tally.counts[$0, default: 0] > 0 }
            return SummaryRow(
                rule: tally.rule, level: gravest ?? tally.rule.level, findings: tally.findings,
                accounts: count.accounts.count, transactions: count.transactions.count,
                stake: count.stake, first: first[tally.rule.id])
        }
        return rows.enumerated().sorted {
            ($0.element.level.rank, $0.offset) < ($1.element.level.rank, $1.offset)
        }.map(\.element)
    }
}

extension Level {
    /// The place of a level among all: the gravest first.
    var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .note: 2
        }
    }
}
