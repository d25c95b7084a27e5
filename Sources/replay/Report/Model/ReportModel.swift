import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// The contents of a report, as values without any layout.
struct ReportModel {
    var logs: [ReportLog] = []
    var tallies: [RuleTally] = []
    /// The rules with findings in numbers, the most severe first.
    var summary: [SummaryRow] = []
    /// The accounts with findings in numbers, the most severe first.
    var affected: [AffectedAccount] = []
    var stake = Stake()
    var findings: [ReportFinding] = []
    /// The lines that were not understood, up to a limit for each log.
    var diagnostics: [Remark] = []
    var pictures: [AccountPicture] = []
    var undrawn = 0
    var histories: [StateHistory] = []
    var narrowed: [String] = []

    func count(_ level: Level) -> Int { tallies.reduce(0) { $0 + $1.counts[level, default: 0] } }

    var findingCount: Int { tallies.reduce(0) { $0 + $1.findings } }

    var notUnderstood: Int { logs.reduce(0) { $0 + $1.counts.notUnderstood } }
}

struct ReportLog {
    var name: String
    var counts = LineCounts()
    var accounts = 0
    var from: Timestamp?, until: Timestamp?
}

/// A finding with its places in the log and in the files.
struct ReportFinding {
    var id: Int
    var log: Int
    var line: Int
    var noteLines: [Int]
    var account: String?
    var remark: Remark
}
