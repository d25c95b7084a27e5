import PurchaseEvents

/// Two refreshes of a receipt with nothing in between list the same rows (G8.2).
///
/// Two refreshes form a pair only if the log has no lines between them except the first one's rows.
/// The second one's rows end at the next other event on its device, or at the end of the log. A
/// refresh dates from its `signedAt` if given, because it may be recorded later.
struct RefreshChangesNothing: CatalogueRule {
    static let id = "refresh-changes-nothing"
    static let level = Level.error
    static let statement =
        "Two refreshes of one named account, device and environment with nothing recorded in "
        + "between list the same rows, except rows whose own purchase or cancellation date "
        + "lies after the first refresh."
    static let evidence = ["G8.2"]
    static let reads = EventTypes.all

    private struct Row {
        var transaction: TransactionID<Interned>
        var line: LineNumber
        /// Whether the row has a date later than the refresh that lists the row.
        var isLater: Bool
    }

    private struct Snapshot {
        var owner: Snapshots.Owner
        var receipt: ReceiptID<Interned>
        var line: LineNumber
        var at: Timestamp
        var rows: [Row] = []
    }

    private struct Pair {
        var first: Snapshot
        var expected: Set<TransactionID<Interned>>
        var receipt: ReceiptID<Interned>
        var line: LineNumber
        var listed: Set<TransactionID<Interned>> = []
    }

    /// The latest snapshot, while nothing else has been recorded since.
    private var latest: Snapshot?
    /// For each device, the pair whose second snapshot is being listed.
    private var pairs: [Int: Pair] = [:]
    /// For each receipt of a pair, the pair's device.
    private var places: [ReceiptID<Interned>: Int] = [:]

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        // The rule reads every type, so most events must return early.
        if latest == nil, pairs.isEmpty, event.type != .receiptRefreshed { return }
        compare(event, on: line, facts, &report)
    }

    @inline(never)
    private mutating func compare(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .receiptListed, case .receiptListed(let row) = event.fact,
            list(row, event, line, facts, &report)
        {
            return
        }
        if !pairs.isEmpty { close(Facts.index(of: event.device), facts, &report) }
        let before = latest
        latest = nil
        guard event.type == .receiptRefreshed, case .receiptRefreshed(let receipt) = event.fact,
            let account = event.account
        else {
            return
        }
        let owner = Snapshots.Owner(
            account: account, device: event.device, environment: facts.environment(of: event))
        if let before, before.owner == owner {
            report.test()
            let device = Facts.index(of: event.device)
            pairs[device] = Pair(
                first: before, expected: Set(before.rows.map(\.transaction)), receipt: receipt,
                line: line.number)
            places[before.receipt] = device
            places[receipt] = device
        }
        latest = Snapshot(
            owner: owner, receipt: receipt, line: line.number, at: event.signedAt ?? event.at)
    }

    mutating func observeNotUnderstood(
        _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) { latest = nil }

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        for device in pairs.keys.sorted() { close(device, facts, &report) }
    }

    /// Whether a row belongs to a snapshot being listed; judges the rows of a second snapshot.
    private mutating func list(
        _ row: ReceiptListed<Interned>, _ event: Event<Interned>, _ line: Line, _ facts: Facts,
        _ report: inout Report
    ) -> Bool {
        guard let receipt = row.receipt else { return false }
        let isOfLatest = latest?.receipt == receipt
        if isOfLatest, let at = latest?.at {
            latest?.rows.append(
                Row(
                    transaction: row.transaction, line: line.number,
                    isLater: RefreshChangesNothing.isLater(row, than: at)))
        }
        guard let device = places[receipt] else { return isOfLatest }
        guard pairs[device]?.receipt == receipt else {
            // The first snapshot is still being listed, so the pair can't be compared.
            forget(device)
            return isOfLatest
        }
        let isNew = pairs[device]?.listed.insert(row.transaction).inserted ?? false
        if !isOfLatest { latest = nil }
        guard isNew, let pair = pairs[device], !pair.expected.contains(row.transaction),
            !RefreshChangesNothing.isLater(row, than: pair.first.at)
        else { return true }
        let name = facts.text(row.transaction)
        let first = facts.names.text(of: pair.first.receipt)
        report.find(
            event, on: line, facts, account: pair.first.owner.account, key: name,
            "receipt \(facts.names.text(of: pair.receipt)) lists "
                + "\(facts.describe(row.transaction)), which receipt \(first) did not: expected "
                + "the same rows, as nothing was recorded in between",
            notes: [
                Finding.Note(line: pair.first.line, message: "let receipt \(first) be refreshed"),
                Finding.Note(
                    line: pair.line,
                    message: "then it was refreshed again, as \(facts.names.text(of: pair.receipt))"
                ),
            ],
            hint: "look at whether the first receipt was whole: what it lacked was not unlocked "
                + "until the second")
        return true
    }

    private static func isLater(
        _ row: ReceiptListed<Interned>, than refresh: Timestamp
    ) -> Bool {
        row.purchasedAt > refresh || (row.cancelledAt.map { $0 > refresh } ?? false)
    }

    /// Removes the pair of a device.
    @discardableResult
    private mutating func forget(_ device: Int) -> Pair? {
        guard let pair = pairs.removeValue(forKey: device) else { return nil }
        places[pair.first.receipt] = nil
        places[pair.receipt] = nil
        return pair
    }

    /// Reports the rows that a pair's second snapshot lacks.
    private mutating func close(_ device: Int, _ facts: Facts, _ report: inout Report) {
        guard let pair = forget(device) else { return }
        var told: Set<TransactionID<Interned>> = []
        for row in pair.first.rows where !row.isLater && !pair.listed.contains(row.transaction) {
            guard told.insert(row.transaction).inserted else { continue }
            if let reason = facts.incompleteReason(after: pair.line) {
                return report.cannotTell("whether a refresh lists the same rows: \(reason)")
            }
            let name = facts.text(row.transaction)
            report.find(
                at: pair.line, facts, account: pair.first.owner.account, key: name,
                "receipt \(facts.names.text(of: pair.receipt)) doesn't list "
                    + "\(facts.describe(row.transaction)), which the refresh before it did: "
                    + "expected the same rows, as nothing was recorded in between",
                notes: [
                    Finding.Note(
                        line: row.line,
                        message: "let receipt \(facts.names.text(of: pair.first.receipt)) list "
                            + "transaction \(name)")
                ],
                hint: "look at whether the second receipt is whole: an app that unlocks by it "
                    + "takes away what was paid for")
        }
    }
}
