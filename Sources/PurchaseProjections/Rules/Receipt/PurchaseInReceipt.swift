import PurchaseEvents

/// A finished purchase is in the receipt from its finish on (G4.13).
///
/// Finished purchases wait, chained by account and environment, for the next snapshot of both,
/// which must list them or another purchase of their product: a receipt may hold a non-consumable
/// under its first purchase, and a subscription under one of its periods. An invalid purchase is
/// exempt. A snapshot that was signed before a purchase can't list it, so the purchase waits on.
struct PurchaseInReceipt: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "A purchase that is finished, or another one of its product, is in the next snapshot that "
        + "the log shows of its account and that was not signed before it, except a consumable or "
        + "non-renewing one."
    static let evidence = ["G4.13", "I9"]
    static let reads = EventTypes(.queueFinished, .receiptRefreshed, .receiptListed)

    private var snapshots = ReceiptSnapshots()
    /// Linked lists of waiting transactions: the head for each account and environment, and the
    /// next for each transaction; handles plus one, 0 ends a list.
    private var heads = DenseTable<UInt32>(0)
    private var next = DenseTable<UInt32>(0)
    /// The waiting transactions that some snapshot was signed before, by purchase date, for each
    /// account and environment; few.
    private var newer: [Int: EarliestQueue] = [:]
    /// The transactions that each open snapshot must list.
    private var due: [ReceiptSnapshots.Owner: [TransactionHandle]] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&snapshots).visit(&heads).visit(&next).visit(&newer).visit(&due)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if let transaction = facts.finishedTransaction(of: event) {
            let known = facts[transaction]
            guard known.isPurchased, known.finishedLine == line.number,
                PurchaseInReceipt.stays(facts.kind(of: transaction)) ?? true,
                let account = facts.owner(of: transaction), let environment = known.environment
            else { return }
            let place = account.index(in: environment)
            next[transaction.index] = heads[place]
            heads[place] = transaction.name.rawValue + 1
            return
        }
        let whole = snapshots.observe(event, on: line.number, facts)
        if let whole { judge(whole, facts, &report) }
        if event.type == .receiptRefreshed, let owner = ReceiptSnapshots.Owner(event, facts) {
            due[owner] = removeWaiting(for: owner, signedAt: event.signedAt, facts)
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for snapshot in snapshots.end() { judge(snapshot, facts, &report) }
    }

    /// Whether a kind stays in the receipt; `nil` for an unknown kind.
    private static func stays(_ kind: ProductKind?) -> Bool? {
        switch kind {
        case .nonConsumable, .autoRenewable: true
        case .consumable, .nonRenewing: false
        case nil: nil
        }
    }

    /// Removes and returns the transactions that a snapshot of an owner must list, save those
    /// bought after the snapshot was signed; `nil` if there are none.
    private mutating func removeWaiting(
        for owner: ReceiptSnapshots.Owner, signedAt: Timestamp?, _ facts: Facts
    ) -> [TransactionHandle]? {
        let place = owner.account.index(in: owner.environment)
        var taken: [TransactionHandle] = []
        while let known = newer[place]?.next(upTo: (signedAt ?? Access.noEnd).milliseconds) {
            taken.append(TransactionHandle(index: Int(known)))
        }
        var link = heads[place]
        if link != 0 { heads[place] = 0 }
        while link != 0 {
            let transaction = TransactionHandle(index: Int(link) - 1)
            link = next[transaction.index]
            if let signedAt, let bought = facts[transaction].purchasedAt, bought > signedAt {
                newer[place, default: EarliestQueue()].add(
                    UInt32(transaction.index), at: bought.milliseconds)
            } else {
                taken.append(transaction)
            }
        }
        return taken.isEmpty ? nil : taken.reversed()
    }

    private mutating func judge(
        _ snapshot: ReceiptSnapshots.Snapshot, _ facts: Facts, _ report: inout Report
    ) {
        guard let due = due.removeValue(forKey: snapshot.owner) else { return }
        let listed = snapshot.transactions
        let products = Set(snapshot.rows.compactMap { facts[$0.transaction].product })
        for transaction in due {
            let stays = PurchaseInReceipt.stays(facts.kind(of: transaction))
            if stays == false || facts.isInvalid(transaction, at: snapshot.line) { continue }
            report.test()
            if listed.contains(transaction) { continue }
            if let product = facts[transaction].product, products.contains(product) { continue }
            if stays == nil {
                report.cannotTell(
                    "whether a purchase belongs in the receipt: the log doesn't say the kind of "
                        + "its product")
            } else {
                find(transaction, snapshot, facts, &report)
            }
        }
    }

    private func find(
        _ transaction: TransactionHandle, _ snapshot: ReceiptSnapshots.Snapshot,
        _ facts: Facts,
        _ report: inout Report
    ) {
        let reason =
            facts.missingRows(of: snapshot.receipt, on: snapshot.line, snapshot.owner)
            ?? facts.incompleteReason(after: snapshot.line)
        if let reason {
            return report.cannotTell("whether the receipt lists a purchase: \(reason)")
        }
        let known = facts[transaction]
        let name = facts.text(transaction)
        report.find(
            at: snapshot.line, facts, account: snapshot.owner.account, key: name,
            "receipt \(facts.names.text(of: snapshot.receipt)) doesn't list transaction "
                + "\(name), which is finished: expected it in every receipt from then on",
            notes: Finding.note(
                known.purchasedLine, "let \(facts.describe(transaction)) be purchased")
                + Finding.note(known.finishedLine, "then it was finished"),
            hint: "look at whether the receipt was fetched again: an app that unlocks by the "
                + "receipt alone gives nothing for what was paid")
    }
}
