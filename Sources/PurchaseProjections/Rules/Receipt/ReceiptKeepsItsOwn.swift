import PurchaseEvents

/// A row stays in the receipt unless its product is used up (G1.2, G4.13).
///
/// Each snapshot is compared with the previous one of its account, device and environment. A
/// snapshot may list only the newest period of a subscription, as verifyReceipt does without old
/// transactions. A consumable that the log never saw in a queue may have been finished unseen.
struct ReceiptKeepsItsOwn: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "A non-consumable row of a snapshot is in the next snapshot of the account, device and "
        + "environment too, and so is an auto-renewable one, or a later period of its line (a note "
        + "in sandbox and xcode); a consumable or non-renewing one that the queue presented leaves "
        + "only after it is finished."
    static let evidence = ["G1.2", "G4.13", "I9"]
    static let reads = EventTypes(.receiptRefreshed, .receiptListed)

    private var snapshots = ReceiptSnapshots()
    private var before: [ReceiptSnapshots.Owner: ReceiptSnapshots.Snapshot] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&snapshots).visit(&before) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        let whole = snapshots.observe(event, on: line.number, facts)
        if let whole { judge(whole, facts, &report) }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for snapshot in snapshots.end() { judge(snapshot, facts, &report) }
    }

    private mutating func judge(
        _ snapshot: ReceiptSnapshots.Snapshot, _ facts: Facts, _ report: inout Report
    ) {
        let predecessor = before[snapshot.owner]
        before[snapshot.owner] = snapshot
        guard let predecessor else { return }
        let kept = snapshot.transactions
        lazy var newest = ReceiptKeepsItsOwn.newestPeriods(in: snapshot, facts)
        var seen: Set<TransactionHandle> = []
        for row in predecessor.rows where seen.insert(row.transaction).inserted {
            report.test()
            guard !kept.contains(row.transaction) else { continue }
            if facts.kind(of: row.transaction) == .autoRenewable,
                let later = newest[facts.original(of: row.transaction)],
                facts[row.transaction].purchasedAt.map({ $0 < later }) ?? false
            {
                continue
            }
            judge(row, of: predecessor, missingIn: snapshot, facts, &report)
        }
    }

    /// The latest purchase date in a snapshot, by the original of the line.
    private static func newestPeriods(
        in snapshot: ReceiptSnapshots.Snapshot, _ facts: Facts
    ) -> [TransactionHandle: Timestamp] {
        var newest: [TransactionHandle: Timestamp] = [:]
        for row in snapshot.rows {
            guard let date = facts[row.transaction].purchasedAt else { continue }
            let line = facts.original(of: row.transaction)
            newest[line] = max(date, newest[line] ?? date)
        }
        return newest
    }

    private func judge(
        _ row: ReceiptSnapshots.Row, of predecessor: ReceiptSnapshots.Snapshot,
        missingIn snapshot: ReceiptSnapshots.Snapshot, _ facts: Facts, _ report: inout Report
    ) {
        let known = facts[row.transaction]
        let isFinished = known.finishedLine != 0 && known.finishedLine < snapshot.line
        let kind = facts.kind(of: row.transaction)
        let mayLeave = kind != .nonConsumable && kind != .autoRenewable
        if mayLeave {
            guard known.wasInQueue else { return }
            if isFinished {
                guard kind == nil else { return }
                return report.cannotTell(
                    "whether a row may leave the receipt: the log doesn't say the kind of its "
                        + "product")
            }
        }
        let reason =
            facts.missingRows(of: snapshot.receipt, on: snapshot.line, snapshot.owner)
            ?? (mayLeave ? facts.incompleteReason : facts.incompleteReason(after: snapshot.line))
        if let reason {
            return report.cannotTell(
                "whether a row left the receipt, or left it unfinished: \(reason)")
        }
        let name = facts.text(row.transaction)
        report.find(
            at: snapshot.line, facts,
            level: snapshot.owner.environment.mayTruncate(kind) ? .note : nil,
            account: snapshot.owner.account, key: name,
            "receipt \(facts.names.text(of: snapshot.receipt)) no longer lists "
                + "\(facts.describe(row.transaction)): expected it to "
                + (mayLeave ? "stay until it is finished" : "stay forever"),
            notes: Finding.note(
                row.line,
                "let receipt \(facts.names.text(of: predecessor.receipt)) list "
                    + "transaction \(name)"),
            hint: "look at whether the receipt is whole and of this account: an app that unlocks "
                + "by it alone takes the product away from its buyer")
    }
}
