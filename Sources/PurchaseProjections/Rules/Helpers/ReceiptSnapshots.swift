import PurchaseEvents

/// Snapshots of receipts, collected row by row for each owner.
///
/// The log does not mark the end of a snapshot: it is complete when the owner's next snapshot
/// begins or the log ends; if the log ends within it, its other rows are missing. Refreshes without
/// an account are ignored, because the owner is unknown.
struct ReceiptSnapshots: Sendable, Snapshotted {
    /// The owner of a receipt: an account on a device, in one environment (G9.3).
    struct Owner: Hashable, Sendable {
        var account = AccountHandle(index: 0)
        var device: DeviceHandle?
        var environment = Environment.production

        init() {}

        /// The owner that an event names; `nil` without an account.
        init?(_ event: LogEvent, _ facts: Facts) {
            guard let account = event.account else { return nil }
            self.account = account
            device = event.device
            environment = facts.environment(of: event)
        }
    }

    struct Row: Sendable {
        var transaction: TransactionHandle
        var line: LineNumber
    }

    struct Snapshot: Sendable, SnapshottedElement {
        var owner = Owner()
        var receipt = ReceiptHandle(index: 0)
        var line: LineNumber = 0
        var rows: [Row] = []

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&owner).visit(&receipt).visit(&line).visit(&rows)
        }

        var transactions: Set<TransactionHandle> { Set(rows.map(\.transaction)) }
    }

    private var open: [Owner: Snapshot] = [:]
    /// The owner that opened each receipt last.
    private var owners: [ReceiptHandle: Owner] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&open).visit(&owners) }

    /// Begins a snapshot, or adds a row to its snapshot; returns the owner's previous snapshot, now
    /// complete, if there is one.
    ///
    /// A row belongs to the open snapshot of its own owner, else to that of the owner that opened
    /// the receipt last.
    mutating func observe(_ event: LogEvent, on line: LineNumber, _ facts: Facts) -> Snapshot? {
        let own = Owner(event, facts)
        if event.type == .receiptRefreshed, case .receiptRefreshed(let receipt) = event.fact {
            guard let own else { return nil }
            let whole = open[own]
            open[own] = Snapshot(owner: own, receipt: receipt, line: line)
            if let whole, owners[whole.receipt] == own { owners[whole.receipt] = nil }
            owners[receipt] = own
            return whole
        }
        guard case .receiptListed(let row) = event.fact, let receipt = row.receipt else {
            return nil
        }
        let isOwn = own.map { open[$0]?.receipt == receipt } ?? false
        guard let owner = isOwn ? own : owners[receipt] else { return nil }
        open[owner]?.rows.append(Row(transaction: row.transaction, line: line))
        return nil
    }

    /// Ends all open snapshots; returns them by line.
    mutating func end() -> [Snapshot] {
        defer { open = [:] }
        return open.values.sorted { $0.line < $1.line }
    }
}

extension Facts {
    /// Why the rows of a receipt may be missing at the end of the log; `nil` if the log goes on
    /// after the receipt.
    func missingRows(
        of receipt: ReceiptHandle, on line: LineNumber, _ owner: ReceiptSnapshots.Owner
    ) -> String? {
        guard record.pointee.openReceipts.contains(line, of: owner.account, on: owner.device) else {
            return nil
        }
        return "the log ends within receipt \(names.text(of: receipt)), and its other rows may "
            + "follow"
    }
}

extension Environment {
    /// Whether receipts of the environment may lack older rows of a kind: a test environment drops
    /// old periods.
    func mayTruncate(_ kind: ProductKind?) -> Bool {
        self != .production && kind == .autoRenewable
    }
}
