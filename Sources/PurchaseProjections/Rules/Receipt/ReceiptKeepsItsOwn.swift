import PurchaseEvents

/// A row stays in the receipt unless its product is used up (G1.2, G4.13).
///
/// Each snapshot is compared with the previous one of its account, device and environment.
struct ReceiptKeepsItsOwn: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "A non-consumable or auto-renewable row of a snapshot is in the next snapshot of the "
        + "account, device and environment too; a consumable or non-renewing one leaves only "
        + "after it is finished."
    static let evidence = ["G1.2", "G4.13", "I9"]
    static let reads = EventTypes(.receiptRefreshed, .receiptListed)

    private var snapshots = ReceiptSnapshots()
    private var before: [ReceiptSnapshots.Owner: ReceiptSnapshots.Snapshot] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&snapshots).visit(&before) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .receiptRefreshed, case .receiptRefreshed(let receipt) = event.fact {
            guard let next = snapshots.begin(receipt, event, line.number, facts) else { return }
            if let whole = next.whole { judge(whole, facts, &report) }
        } else if event.type == .receiptListed, case .receiptListed(let row) = event.fact {
            snapshots.list(row, event, line.number, facts)
        }
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
        var seen: Set<TransactionHandle> = []
        for row in predecessor.rows where seen.insert(row.transaction).inserted {
            report.test()
            guard !kept.contains(row.transaction) else { continue }
            judge(row, of: predecessor, missingIn: snapshot, facts, &report)
        }
    }

    private func judge(
        _ row: ReceiptSnapshots.Row, of predecessor: ReceiptSnapshots.Snapshot,
        missingIn snapshot: ReceiptSnapshots.Snapshot, _ facts: Facts, _ report: inout Report
    ) {
        let known = facts[row.transaction]
        let isFinished = known.finishedLine != 0 && known.finishedLine < snapshot.line
        let kind = facts.kind(of: row.transaction)
        let mayLeave: Bool
        switch kind {
        case .consumable, .nonRenewing: mayLeave = true
        case .nonConsumable, .autoRenewable: mayLeave = false
        case nil:
            guard !isFinished else {
                return report.cannotTell(
                    "whether a row may leave the receipt: the log doesn't say the kind of its "
                        + "product")
            }
            mayLeave = true
        }
        if mayLeave, isFinished { return }
        let reason =
            facts.missingRows(of: snapshot.receipt, on: snapshot.line, snapshot.owner)
            ?? (mayLeave ? facts.incompleteReason : facts.incompleteReason(after: snapshot.line))
        if let reason {
            return report.cannotTell(
                "whether a row left the receipt, or left it unfinished: \(reason)")
        }
        let name = facts.text(row.transaction)
        report.find(
            at: snapshot.line, facts, account: snapshot.owner.account, key: name,
            "receipt \(facts.names.text(of: snapshot.receipt)) no longer lists "
                + "\(facts.describe(row.transaction)): expected it to "
                + (mayLeave ? "stay until it is finished" : "stay forever"),
            notes: [
                Finding.Note(
                    line: row.line,
                    message: "let receipt \(facts.names.text(of: predecessor.receipt)) list "
                        + "transaction \(name)")
            ],
            hint: "look at whether the receipt is whole and of this account: an app that unlocks "
                + "by it alone takes the product away from its buyer")
    }
}
