import PurchaseEvents
import PurchaseProjections

/// The README's ledger in ten lines, copied from there between the two marks.
func readmeExample(_ path: String, _ now: Timestamp) throws {
    // The example begins.
    let ledger = try PurchaseLedger.openOrCreate(at: path, now: now)
    let me = Session(account: "6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8", device: "phone-1")
    try ledger.perform(.launch, by: me, now: now)
    try ledger.record(
        .queuePurchased(.init(transaction: "4700019964686124", product: "coins", purchasedAt: now)),
        by: me, now: now)
    try ledger.perform(.finish(.transaction("4700019964686124")), by: me, now: now)
    // throws: refused, since it is neither delivered nor persisted
    // The example ends.
}

/// The README's way to read a log by its path, copied from there between the two marks.
func readmeReading(_ path: String, print: (Any...) -> Void) throws {
    // The example begins.
    let reader = LogReader()
    var check = Check(names: reader.decoder.names)
    var show = Show([Entitlements.self], names: reader.decoder.names)
    try reader.read(logAt: path) { line in
        check.observe(line)
        show.observe(line)
        return true
    }
    for (rule, report) in check.finish() where report.verdict == .violated {
        for finding in report.findings { print(rule.id, finding.line, finding.message) }
    }
    for row in show.rows(of: Entitlements.self) where row.isActive {
        print("\(row.account ?? "somebody") has \(row.product ?? "something")")
    }
    // The example ends.
}
