import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// The contents of a report, as values without any layout.
struct ReportModel {
    /// The logs that were read, in order.
    var logs: [ReportLog] = []
    /// The counted findings of each rule, in the order of the catalogue.
    var tallies: [RuleTally] = []
    /// The rules with findings in numbers, the most severe first.
    var summary: [SummaryRow] = []
    /// The accounts with findings in numbers, the most severe first.
    var affected: [AffectedAccount] = []
    /// The money at stake over all rules.
    var stake = Stake()
    /// The findings shown, by log and line.
    var findings: [ReportFinding] = []
    /// The lines that were not understood, up to a limit for each log.
    var diagnostics: [Remark] = []
    /// The drawn accounts, those with findings first.
    var pictures: [AccountPicture] = []
    /// The number of accounts that aren't drawn.
    var undrawn = 0
    /// The states of small logs, line by line.
    var histories: [StateHistory] = []
    var narrowed: [String] = []

    func count(_ level: Level) -> Int { tallies.reduce(0) { $0 + $1.counts[level, default: 0] } }

    var findingCount: Int { tallies.reduce(0) { $0 + $1.findings } }
}

struct ReportLog {
    var name: String
    var counts = LineCounts()
    /// The number of accounts that events name.
    var accounts = 0
    /// The earliest and the latest time of recording.
    var from: Timestamp?, until: Timestamp?
}

/// A finding with its places in the log and in the files.
struct ReportFinding {
    /// The number of the finding on the page, counted from 1.
    var id: Int
    /// The index of the log.
    var log: Int
    var line: Int
    /// The lines of the log that the notes name, in order.
    var noteLines: [Int]
    /// The account of the finding; `nil` if unknown.
    var account: String?
    var remark: Remark
}
