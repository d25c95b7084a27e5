import PurchaseEvents

/// Snapshots of receipts as the log lists them, row by row, each under whom it is of.
///
/// The log doesn't say where the rows of a snapshot end, so one is whole when the next of the same
/// owner begins, or the log ends. A refresh without an account is nobody's: one that isn't said
/// is no other's.
struct Snapshots: Sendable {
    /// Whose receipt it is: an account on a device, in one environment (G9.3).
    struct Owner: Hashable, Sendable {
        var account: AccountID<Interned>
        var device: DeviceID<Interned>?
        var environment: Environment
    }

    /// A row, and the line that lists it.
    struct Row: Sendable {
        var transaction: TransactionID<Interned>
        var line: LineNumber
    }

    struct Snapshot: Sendable {
        var owner: Owner
        var receipt: ReceiptID<Interned>
        var line: LineNumber
        var rows: [Row] = []

        var transactions: Set<TransactionID<Interned>> { Set(rows.map(\.transaction)) }
    }

    private var open: [Owner: Snapshot] = [:]
    private var owners: [ReceiptID<Interned>: Owner] = [:]

    /// Begins a snapshot; the one of the same owner that is now whole, where there is one.
    mutating func begin(
        _ receipt: ReceiptID<Interned>, _ event: Event<Interned>, _ line: LineNumber,
        _ facts: Facts
    ) -> (begun: Snapshot, whole: Snapshot?)? {
        guard let account = event.account else { return nil }
        let owner = Owner(
            account: account, device: event.device, environment: facts.environment(of: event))
        let whole = open[owner]
        let begun = Snapshot(owner: owner, receipt: receipt, line: line)
        open[owner] = begun
        if let whole { owners[whole.receipt] = nil }
        owners[receipt] = owner
        return (begun, whole)
    }

    /// Adds a row to the snapshot that it is of, where that is open.
    mutating func list(_ row: ReceiptListed<Interned>, _ line: LineNumber) {
        guard let receipt = row.receipt, let owner = owners[receipt] else { return }
        open[owner]?.rows.append(Row(transaction: row.transaction, line: line))
    }

    /// The snapshots that are whole at the end of the log, by their lines.
    mutating func end() -> [Snapshot] {
        defer { open = [:] }
        return open.values.sorted { $0.line < $1.line }
    }
}
