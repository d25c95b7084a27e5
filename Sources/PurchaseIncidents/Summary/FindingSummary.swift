import PurchaseEvents
import PurchaseProjections

/// A summary of findings: one row for each rule with findings, over one or more logs.
///
/// Memory: each account and key that findings name, once for each rule.
public struct FindingSummary: Sendable {
    /// The findings of one rule.
    public struct Row: Hashable, Sendable {
        /// The rule's id.
        public var rule: String
        /// The most severe level among the findings.
        public var level: Level
        /// The number of findings.
        public var findings: Int
        /// The number of accounts that the findings name.
        public var accounts: Int
        /// The number of transactions that the findings are about.
        public var transactions: Int
        /// The money at stake, each transaction counted once.
        public var stake: Stake
        /// The number of the first log with a finding, counted from 0 in the order of `add`.
        public var log: Int
        /// The first line with a finding in that log.
        public var firstLine: LineNumber
        /// The `at` of that line; `nil` if unknown.
        public var at: Timestamp?
    }

    /// A rule's row with the names behind its counts, as bytes.
    private struct Entry: Sendable {
        var row: Row
        var accounts: Set<[UInt8]> = []
        var transactions: Set<[UInt8]> = []
        /// The transactions whose price the stake includes.
        var staked: Set<[UInt8]> = []
    }

    /// The money at stake over all rules, each transaction counted once.
    public private(set) var stake = Stake()
    private var staked: Set<[UInt8]> = []
    private var entries: [String: Entry] = [:]
    private var logs = 0

    /// Creates the summary of no logs.
    public init() {}

    /// Adds all findings of a log.
    ///
    /// - Parameters:
    ///   - findings: All findings of the log.
    ///   - facts: The facts of the whole log.
    ///   - dates: The dates of the log's lines.
    public mutating func add(_ findings: some Sequence<Finding>, _ facts: Facts, _ dates: LineDates)
    {
        for finding in findings { add(finding, facts, dates) }
        logs += 1
    }

    /// Adds the findings of a rule in a log, counted by what they name; call this before `add` with
    /// the other findings of the log.
    package mutating func add(
        rule: String, _ findings: FindingCounts, _ facts: Facts, _ dates: LineDates
    ) {
        for (name, entry) in findings.entries {
            add(
                rule, entry.counts, entry.firstLine,
                account: name.account.map { Array(facts.names.text(of: $0).utf8) },
                key: name.key.map { String(decoding: $0, as: UTF8.self) }, facts, dates)
        }
    }

    private mutating func add(_ finding: Finding, _ facts: Facts, _ dates: LineDates) {
        add(
            finding.rule, [finding.level: 1], finding.line,
            account: finding.account.map { Array($0.utf8) }, key: finding.key, facts, dates)
    }

    /// Adds the findings of a rule that name one account and key; `line` is the first of them.
    private mutating func add(
        _ rule: String, _ counts: [Level: Int], _ line: LineNumber, account: [UInt8]?,
        key: String?, _ facts: Facts, _ dates: LineDates
    ) {
        guard let level = counts.keys.min(by: { $0.rank < $1.rank }) else { return }
        let new = Row(
            rule: rule, level: level, findings: 0, accounts: 0, transactions: 0,
            stake: Stake(), log: logs, firstLine: line, at: dates[line])
        var entry = entries.removeValue(forKey: rule) ?? Entry(row: new)
        entry.row.findings += counts.values.reduce(0, +)
        if level.rank < entry.row.level.rank { entry.row.level = level }
        if entry.row.log == logs, line < entry.row.firstLine {
            (entry.row.firstLine, entry.row.at) = (line, dates[line])
        }
        if let account { entry.accounts.insert(account) }
        if let key, let transaction = facts.transaction(named: key) {
            let name = Array(facts.text(transaction).utf8)
            // A transaction whose first finding is only a note still counts at a more severe one.
            let stake = Stake(of: transaction, rule: rule, level: level, facts)
            entry.transactions.insert(name)
            if !stake.isEmpty {
                if entry.staked.insert(name).inserted { entry.row.stake.add(stake) }
                if staked.insert(name).inserted { self.stake.add(stake) }
            }
        }
        entries[rule] = entry
    }

    /// The rows, most severe first: errors before warnings before notes.
    ///
    /// Within a level, rules about money come first, then rules with more accounts, then with more
    /// findings, then by id.
    public var rows: [Row] {
        let rows = entries.values.map { entry in
            var row = entry.row
            row.accounts = entry.accounts.count
            row.transactions = entry.transactions.count
            return row
        }
        return rows.sorted { FindingSummary.order($0) < FindingSummary.order($1) }
    }

    private static func order(_ row: Row) -> (Int, Int, Int, Int, String) {
        let isMoney = MoneySide.of(rule: row.rule).map { $0 != .nobody } ?? false
        return (row.level.rank, isMoney ? 0 : 1, -row.accounts, -row.findings, row.rule)
    }
}
