import PurchaseEvents
import PurchaseProjections

/// The accounts to draw: those with findings first, then others while there is room.
struct AccountChoice {
    /// The accounts with findings, by log; `nil` stands for lines without a known account.
    private(set) var withFindings: [Int: [ExactName?]] = [:]
    /// The number of pictures that may still be drawn.
    var room: Int
    let drawsOthers: Bool
    let only: ExactName?
    let marksPerPicture: Int

    init(_ logs: [CheckedLog], _ model: ReportModel, _ limits: ReportLimits) {
        let limit = limits.accounts ?? ReportLimits.defaultAccounts
        only = limits.input.account?.exact
        let lines = model.logs.reduce(0) { $0 + $1.counts.lines }
        drawsOthers = only != nil || limits.accounts != nil || lines <= ReportLimits.smallLog
        var seen: Set<Key> = []
        for finding in model.findings where seen.count < limit {
            let account = finding.account?.exact
            guard seen.insert(Key(log: finding.log, account: account)).inserted else { continue }
            withFindings[finding.log, default: []].append(account)
        }
        room = limit - seen.count
        // A small log has few lines, so don't divide the page's marks among its pictures.
        let pictures = lines <= ReportLimits.smallLog ? 1 : max(1, limits.accounts ?? seen.count)
        marksPerPicture = min(ReportLimits.marksPerPicture, max(24, ReportLimits.marks / pictures))
    }

    private struct Key: Hashable {
        var log: Int
        var account: ExactName?
    }
}
