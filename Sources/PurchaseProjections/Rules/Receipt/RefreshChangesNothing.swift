import PurchaseEvents

/// Two refreshes of a receipt with nothing in between list the same rows (G8.2).
///
/// Two refreshes form a pair only if the log has no lines between them except the first one's rows.
/// The rows of both end at their owner's next refresh after the second, or at the end of the log,
/// whatever else is recorded among them; a log that ends within the second may lack some of its
/// rows. A refresh dates from its `signedAt` if given, because it may be recorded later. The
/// store's dates are of another clock, and a renewal may be dated before the store made it: at the
/// end of the period that it follows, where the payment failed at first.
struct RefreshChangesNothing: CatalogueRule {
    static let level = Level.error
    static let statement =
        "Two refreshes of one named account, device and environment with nothing recorded in "
        + "between list the same rows. The second may add what was purchased or cancelled later "
        + "than five minutes before the first, as clocks differ, and renewals of a subscription "
        + "that the first lists; it may lack what is dated after the first. In sandbox and xcode, "
        + "which drop old periods, a missing subscription is a note."
    static let evidence = ["G8.2"]
    static let reads = EventTypes.all

    private struct Row {
        var transaction: TransactionHandle
        var line: LineNumber
        /// The later of the purchase date and the cancellation date.
        var date: Timestamp
    }

    private struct Snapshot: SnapshottedElement {
        var owner = ReceiptSnapshots.Owner()
        var receipt = ReceiptHandle(index: 0)
        var line: LineNumber = 0
        var at = Timestamp.earliest
        var rows: [Row] = []

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&owner).visit(&receipt).visit(&line).visit(&at).visit(&rows)
        }
    }

    private struct Pair: SnapshottedElement {
        var first = Snapshot(), second = Snapshot()

        mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&first).visit(&second) }
    }

    /// The latest snapshot, while nothing else has been recorded since.
    private var latest: Snapshot?
    /// For each owner, the pair of the two latest snapshots, if they form one.
    private var pairs: [ReceiptSnapshots.Owner: Pair] = [:]
    /// For each receipt of a pair, the pair's owner.
    private var places: [ReceiptHandle: ReceiptSnapshots.Owner] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&latest).visit(&pairs).visit(&places)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        // The rule reads every type, so most events must return early.
        if latest == nil, event.type != .receiptRefreshed,
            event.type != .receiptListed || pairs.isEmpty
        {
            return
        }
        compare(event, on: line, facts, &report)
    }

    @inline(never)
    private mutating func compare(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .receiptListed, case .receiptListed(let row) = event.fact {
            if list(row, line.number) { latest = nil }
            return
        }
        // A person's remark records nothing.
        if event.type == .logNoted { return }
        let before = latest
        latest = nil
        guard event.type == .receiptRefreshed, case .receiptRefreshed(let receipt) = event.fact
        else { return }
        if let open = places.removeValue(forKey: receipt), pairs[open]?.second.receipt == receipt {
            close(open, facts, &report)
        }
        guard let owner = ReceiptSnapshots.Owner(event, facts) else { return }
        close(owner, facts, &report)
        let current = Snapshot(
            owner: owner, receipt: receipt, line: line.number, at: event.signedAt ?? event.at)
        if let before, before.owner == owner {
            report.test()
            pairs[owner] = Pair(first: before, second: current)
            places[before.receipt] = owner
            places[receipt] = owner
        }
        latest = current
    }

    mutating func observeNotUnderstood(_ line: LineNumber, facts: Facts, report: inout Report) {
        latest = nil
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for pair in pairs.values.sorted(by: { $0.second.line < $1.second.line }) {
            close(pair.first.owner, facts, &report)
        }
    }

    /// Adds a row to the snapshots that it belongs to; returns whether it is of another one than
    /// the latest.
    private mutating func list(_ row: ReceiptListed<Interned>, _ line: LineNumber) -> Bool {
        guard let receipt = row.receipt else { return true }
        let new = Row(
            transaction: row.transaction, line: line,
            date: max(row.purchasedAt, row.cancelledAt ?? row.purchasedAt))
        let isOfLatest = latest?.receipt == receipt
        if isOfLatest { latest?.rows.append(new) }
        if let owner = places[receipt] {
            if pairs[owner]?.second.receipt == receipt {
                pairs[owner]?.second.rows.append(new)
            } else {
                pairs[owner]?.first.rows.append(new)
            }
        }
        return !isOfLatest
    }

    private mutating func close(
        _ owner: ReceiptSnapshots.Owner, _ facts: Facts, _ report: inout Report
    ) {
        guard let pair = pairs.removeValue(forKey: owner) else { return }
        for receipt in [pair.first.receipt, pair.second.receipt] where places[receipt] == owner {
            places[receipt] = nil
        }
        let old = pair.first.at.advanced(byMilliseconds: -HeldFinishes.skew)
        let added = rows(of: pair.second, besides: pair.first, upTo: old)
        let listed = added.isEmpty ? [] : pair.first.rows
        let lines = Set(listed.map { facts.original(of: $0.transaction) })
        for row in added {
            let isRenewal =
                facts.kind(of: row.transaction) == .autoRenewable
                && lines.contains(facts.original(of: row.transaction))
            if !isRenewal { findAdded(row, pair, facts, &report) }
        }
        let missing = rows(of: pair.first, besides: pair.second, upTo: pair.first.at)
        guard !missing.isEmpty else { return }
        let reason =
            facts.missingRows(of: pair.second.receipt, on: pair.second.line, owner)
            ?? facts.incompleteReason(after: pair.second.line)
        if let reason {
            return report.cannotTell("whether a refresh lists the same rows: \(reason)")
        }
        for row in missing { findMissing(row, pair, facts, &report) }
    }

    /// The first row of each transaction that another snapshot lacks, if it is no later than an
    /// instant.
    private func rows(
        of snapshot: Snapshot, besides other: Snapshot, upTo instant: Timestamp
    ) -> [Row] {
        var known = Set(other.rows.map(\.transaction))
        return snapshot.rows.filter { row in
            row.date <= instant && known.insert(row.transaction).inserted
        }
    }

    private func findAdded(_ row: Row, _ pair: Pair, _ facts: Facts, _ report: inout Report) {
        let name = facts.text(row.transaction)
        let first = facts.names.text(of: pair.first.receipt)
        let second = facts.names.text(of: pair.second.receipt)
        report.find(
            at: row.line, facts, account: pair.first.owner.account, key: name,
            "receipt \(second) lists "
                + "\(facts.describe(row.transaction)), which receipt \(first) did not: expected "
                + "the same rows, as nothing was recorded in between",
            notes: Finding.note(pair.first.line, "let receipt \(first) be refreshed")
                + Finding.note(pair.second.line, "then it was refreshed again, as \(second)"),
            hint: "look at whether the first receipt was whole: what it lacked was not unlocked "
                + "until the second")
    }

    private func findMissing(_ row: Row, _ pair: Pair, _ facts: Facts, _ report: inout Report) {
        let name = facts.text(row.transaction)
        report.find(
            at: pair.second.line, facts,
            level: pair.first.owner.environment.mayTruncate(facts.kind(of: row.transaction))
                ? .note : nil,
            account: pair.first.owner.account, key: name,
            "receipt \(facts.names.text(of: pair.second.receipt)) doesn't list "
                + "\(facts.describe(row.transaction)), which the refresh before it did: "
                + "expected the same rows, as nothing was recorded in between",
            notes: Finding.note(
                row.line,
                "let receipt \(facts.names.text(of: pair.first.receipt)) list "
                    + "transaction \(name)"),
            hint: "look at whether the second receipt is whole: an app that unlocks by it "
                + "takes away what was paid for")
    }
}
