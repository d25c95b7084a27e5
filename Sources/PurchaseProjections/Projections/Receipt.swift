import PurchaseEvents

/// The rows that each account's receipt holds: the latest snapshot and later changes by the queue
/// (G4.13).
///
/// A purchase that is new to the log enters its buyer's receipt, and stays there even if its
/// subscription is later linked to another account. A finished consumable leaves at the receipt's
/// next change: a new purchase or a new snapshot. A row repeats the statement of the snapshot or
/// the queue. Only an unstated product kind is filled in later, and may then show that the row has
/// left. Other environments do not count (G9.3). Memory is proportional to the rows.
public struct Receipt: Projection, CatalogueProjection {
    /// The argument of `show`.
    public static let name = "receipt"
    /// The question that the projection answers.
    public static let summary = "the rows that each account's receipt holds now"
    /// The event types that the projection folds besides the facts.
    public static let reads = EventTypes(
        .queuePurchased, .queueFinished, .receiptRefreshed, .receiptListed)
    package static let identity = ["account", "transaction"]
    package static let dependencies = RowDependencies(.receipt, ownType: .receiptRefreshed)

    /// Whether a finished non-renewing subscription leaves the receipt (G1.2, G4.13).
    public enum NonRenewing: String, CaseIterable, Hashable, Sendable {
        /// The purchase leaves like a consumable, as the guide's text says.
        case leaves
        /// The purchase stays forever, as the guide's tables say.
        case stays
    }

    private let nonRenewing: NonRenewing
    /// The receipt of each account, the unnamed account first; `nil` if nothing is known.
    private var receipts = DenseTable<ReceiptContents?>(nil)
    /// For each latest snapshot, the index in ``receipts`` of the account that opened it last.
    private var snapshots: [ReceiptHandle: Int] = [:]

    package mutating func visitFields(_ visitor: FieldVisitor) {
        receipts.visit(visitor) { visitor.visit(&$0) }
        visitor.visit(&snapshots)
    }

    /// Creates the projection at the beginning of a log.
    public init() { self.init(nonRenewing: .leaves) }

    /// Creates the projection with one of the guide's two rules for non-renewing subscriptions.
    public init(nonRenewing: NonRenewing) { self.nonRenewing = nonRenewing }

    /// Reads an event that the facts already include.
    public mutating func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {
        guard facts.environment(of: event) == facts.logEnvironment else { return }
        if case .receiptRefreshed(let receipt) = event.fact {
            let place = Facts.index(of: event.account)
            if let before = receipts[place]?.snapshot, snapshots[before] == place {
                snapshots[before] = nil
            }
            snapshots[receipt] = place
            receipts[place] = ReceiptContents(snapshot: receipt)
        } else if case .receiptListed(let listed) = event.fact {
            guard let receipt = listed.receipt, let place = place(of: receipt, event) else {
                return
            }
            receipts[place]?.rows[listed.transaction] = ReceiptContents.Row(
                original: listed.original, product: listed.product, kind: listed.kind,
                purchasedAt: listed.purchasedAt, expiresAt: listed.expiresAt,
                cancelledAt: listed.cancelledAt)
            if facts[listed.transaction].isFinished {
                receipts[place]?.finished.append(listed.transaction)
            }
        } else if case .queuePurchased(let purchase) = event.fact {
            guard facts[purchase.transaction].purchasedLine == line.number else { return }
            enter(purchase, event.account ?? facts.owner(of: purchase.transaction), facts)
        } else if let transaction = facts.finishedTransaction(of: event) {
            let place = place(of: transaction, event, facts)
            receipts[place]?.finished.append(transaction)
        }
    }

    /// The index of the receipt whose latest snapshot a row belongs to: that of the row's account,
    /// else of the account that opened a snapshot of the name last.
    private func place(of receipt: ReceiptHandle, _ event: LogEvent) -> Int? {
        let own = Facts.index(of: event.account)
        return receipts[own]?.snapshot == receipt ? own : snapshots[receipt]
    }

    /// The index of the receipt that holds a transaction: the event's account first, then the
    /// buyer's.
    private func place(
        of transaction: TransactionHandle, _ event: LogEvent, _ facts: Facts
    ) -> Int {
        let places = (Facts.index(of: event.account), Facts.index(of: facts[transaction].account))
        if receipts[places.0]?.rows[transaction] != nil { return places.0 }
        if receipts[places.1]?.rows[transaction] != nil { return places.1 }
        return Facts.index(of: facts.owner(of: transaction) ?? event.account)
    }

    private mutating func enter(
        _ purchase: QueuePurchased<Interned>, _ account: AccountHandle?, _ facts: Facts
    ) {
        let place = Facts.index(of: account)
        if receipts[place]?.rows[purchase.transaction] != nil { return }
        var contents = receipts[place] ?? ReceiptContents()
        receipts[place] = nil
        contents.change { leaves(facts.kind(of: $0)) }
        contents.rows[purchase.transaction] = ReceiptContents.Row(
            original: purchase.original, product: purchase.product, kind: nil,
            purchasedAt: purchase.purchasedAt, expiresAt: purchase.expiresAt, cancelledAt: nil)
        if facts[purchase.transaction].isFinished { contents.finished.append(purchase.transaction) }
        receipts[place] = contents
    }

    /// Whether a finished purchase of a kind leaves the receipt; a purchase of unknown kind stays.
    private func leaves(_ kind: ProductKind?) -> Bool {
        switch kind {
        case .consumable: true
        case .nonRenewing: nonRenewing == .leaves
        case .nonConsumable, .autoRenewable, nil: false
        }
    }

    /// Calls `body` with each row, as known now and true at an instant.
    public func forEachRow(_ facts: Facts, asOf instant: Timestamp, _ body: (ReceiptRow) -> Void) {
        var entries: [ReceiptEntry] = []
        for place in receipts.indices {
            guard let contents = receipts[place] else { continue }
            let account: AccountHandle? = Facts.name(at: place)
            for (transaction, row) in contents.rows {
                if row.isPastFinish, leaves(facts.kind(of: transaction)) { continue }
                entries.append(ReceiptEntry(account: account, transaction: transaction, row: row))
            }
        }
        let (names, texts) = (facts.names, RowTexts(facts.names))
        for entry in entries.inOrder(names, account: \.account, { $0.precedes($1, names) }) {
            body(ReceiptRow(entry, texts, facts))
        }
    }
}

struct ReceiptContents: Sendable, SnapshottedElement {
    struct Row: Sendable {
        var original: TransactionHandle?
        var product: ProductHandle
        var kind: ProductKind?
        var purchasedAt: Timestamp
        var expiresAt: Timestamp?
        var cancelledAt: Timestamp?
        /// Whether the receipt changed after the finish while the row's kind was unknown or
        /// permanent.
        var isPastFinish = false
    }

    var snapshot: ReceiptHandle?
    var rows: [TransactionHandle: Row] = [:]
    /// Transactions finished since the receipt last changed.
    var finished: [TransactionHandle] = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&snapshot).visit(&rows).visit(&finished)
    }

    /// Removes the finished transactions that leave, because the receipt changes.
    mutating func change(_ leaves: (TransactionHandle) -> Bool) {
        for transaction in finished {
            if leaves(transaction) {
                rows[transaction] = nil
            } else {
                rows[transaction]?.isPastFinish = true
            }
        }
        finished = []
    }
}

/// A row of ``Receipt``.
public struct ReceiptRow: ProjectionRow {
    /// The account; `nil` if unknown.
    public let account: String?
    /// The transaction and its original.
    public let transaction: String, original: String
    /// The product.
    public let product: String
    /// The product's kind, if known.
    public let kind: ProductKind?
    /// When the transaction was purchased.
    public let purchasedAt: Timestamp
    /// When the period ends and when the purchase was cancelled, if the receipt states them.
    public let expiresAt: Timestamp?, cancelledAt: Timestamp?

    fileprivate init(_ entry: ReceiptEntry, _ texts: RowTexts, _ facts: Facts) {
        let row = entry.row
        account = texts.text(of: entry.account)
        (transaction, original) = texts.texts(
            of: entry.transaction, row.original ?? entry.transaction)
        product = texts.text(of: row.product)
        kind = row.kind ?? facts.kind(of: entry.transaction)
        purchasedAt = row.purchasedAt
        expiresAt = row.expiresAt
        cancelledAt = row.cancelledAt
    }

    /// Writes the row's keys and values in the order of tool.md.
    public func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer) {
        writer.write("account", account)
        writer.write("transaction", transaction)
        writer.write("original", original)
        writer.write("product", product)
        writer.write("kind", kind?.rawValue)
        writer.write("purchasedAt", purchasedAt)
        writer.write("expiresAt", expiresAt)
        writer.write("cancelledAt", cancelledAt)
    }
}

private struct ReceiptEntry {
    var account: AccountHandle?
    var transaction: TransactionHandle
    var row: ReceiptContents.Row

    func precedes(_ other: ReceiptEntry, _ names: NameTable) -> Bool {
        RowOrder(names).by(account, other.account).by(row.purchasedAt, other.row.purchasedAt)
            .by(transaction, other.transaction).precedes
    }
}
