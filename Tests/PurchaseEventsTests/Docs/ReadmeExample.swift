import PurchaseEvents
import PurchaseProjections

/// The README's ledger in ten lines, as it stands there between the two marks.
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
