import PurchaseEvents

/// The rows that each account's receipt holds now: the latest snapshot, and what the queue has
/// since added or removed (G4.13).
///
/// A purchase that is new to the log enters the receipt of whoever made it, and stays there though
/// its line is linked to another account later. A consumable leaves it at the receipt's next change
/// after it was finished; a change is a purchase that enters, or a new snapshot. A row says what
/// the snapshot or the queue said of it, not what became known later; that it has left may be found
/// out later, when its type becomes known. Receipts of other environments are none of the account's
/// (G9.3). Memory: the rows.
public struct Receipt: Projection {
    /// The word that `show` takes.
    public static let name = "receipt"
    /// The question that it answers.
    public static let summary = "the rows that each account's receipt holds now"
    /// The types of event that it folds beside the facts.
    public static let reads = EventTypes(
        .queuePurchased, .queueFinished, .receiptRefreshed, .receiptListed)

    /// Whether a finished non-renewing subscription leaves the receipt (G1.2, G4.13).
    public enum NonRenewing: String, CaseIterable, Hashable, Sendable {
        /// It leaves like a consumable: the guide's text.
        case leaves
        /// It stays for ever: the guide's tables.
        case stays
    }

    private let nonRenewing: NonRenewing
    /// What each account's receipt holds, that of no account first; `nil` where none is known.
    private var holdings = DenseTable<Contents?>(nil)
    /// Where in ``holdings`` each snapshot is that is the latest of its account.
    private var snapshots: [ReceiptID<Interned>: Int] = [:]

    /// The projection at the beginning of a log.
    public init() { self.init(nonRenewing: .leaves) }

    /// The projection by one of the two readings of the guide.
    public init(nonRenewing: NonRenewing) { self.nonRenewing = nonRenewing }

    /// Reads an event that the facts have taken in already.
    public mutating func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        guard facts.environment(of: event) == facts.home else { return }
        if case .receiptRefreshed(let receipt) = event.fact {
            let place = Facts.index(of: event.account)
            if let before = holdings[place]?.snapshot { snapshots[before] = nil }
            snapshots[receipt] = place
            holdings[place] = Contents(snapshot: receipt)
        } else if case .receiptListed(let listed) = event.fact {
            guard let receipt = listed.receipt, let place = snapshots[receipt] else { return }
            holdings[place]?.rows[listed.transaction] = Contents.Row(
                original: listed.original, product: listed.product, kind: listed.kind,
                purchasedAt: listed.purchasedAt, expiresAt: listed.expiresAt,
                cancelledAt: listed.cancelledAt)
            if facts[listed.transaction].isFinished {
                holdings[place]?.finished.append(listed.transaction)
            }
        } else if case .queuePurchased(let purchase) = event.fact {
            guard facts[purchase.transaction].purchasedLine == line.number else { return }
            enter(purchase, event.account ?? facts.owner(of: purchase.transaction), facts)
        } else if let transaction = facts.finishedTransaction(of: event) {
            let place = place(of: transaction, event, facts)
            holdings[place]?.finished.append(transaction)
        }
    }

    /// Where the receipt is that holds a transaction: that of whoever acts, else of the buyer.
    private func place(
        of transaction: TransactionID<Interned>, _ event: Event<Interned>, _ facts: Facts
    ) -> Int {
        let places = (
            Facts.index(of: event.account), Facts.index(of: facts[transaction].account)
        )
        if holdings[places.0]?.rows[transaction] != nil { return places.0 }
        if holdings[places.1]?.rows[transaction] != nil { return places.1 }
        return Facts.index(of: facts.owner(of: transaction) ?? event.account)
    }

    private mutating func enter(
        _ purchase: QueuePurchased<Interned>, _ account: AccountID<Interned>?, _ facts: Facts
    ) {
        let place = Facts.index(of: account)
        if holdings[place]?.rows[purchase.transaction] != nil { return }
        var contents = holdings[place] ?? Contents()
        holdings[place] = nil
        contents.change { leaves(facts.kind(of: $0)) }
        contents.rows[purchase.transaction] = Contents.Row(
            original: purchase.original, product: purchase.product, kind: nil,
            purchasedAt: purchase.purchasedAt, expiresAt: purchase.expiresAt,
            cancelledAt: nil)
        holdings[place] = contents
    }

    /// Whether a finished purchase leaves the receipt; one of unknown type stays.
    private func leaves(_ kind: ProductKind?) -> Bool {
        switch kind {
        case .consumable: true
        case .nonRenewing: nonRenewing == .leaves
        case .nonConsumable, .autoRenewable, nil: false
        }
    }

    /// Calls `body` with each row by what is known now, as true at an instant.
    public func forEachRow(
        _ facts: Facts, asOf instant: Timestamp, _ body: (ReceiptRow) -> Void
    ) {
        var entries: [ReceiptEntry] = []
        for place in holdings.indices {
            guard let contents = holdings[place] else { continue }
            let account: AccountID<Interned>? = Facts.name(at: place)
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

/// What one account's receipt holds.
struct Contents: Sendable {
    /// What the receipt says of a transaction.
    struct Row: Sendable {
        var original: TransactionID<Interned>?
        var product: ProductID<Interned>
        var kind: ProductKind?
        var purchasedAt: Timestamp
        var expiresAt: Timestamp?
        var cancelledAt: Timestamp?
        /// Whether the receipt has changed since it was finished, which it outlived by what was
        /// known then.
        var isPastFinish = false
    }

    /// The latest snapshot, where there was one.
    var snapshot: ReceiptID<Interned>?
    var rows: [TransactionID<Interned>: Row] = [:]
    /// What was finished since the receipt changed last.
    var finished: [TransactionID<Interned>] = []

    /// The receipt changes: what is finished and doesn't stay is gone.
    mutating func change(_ leaves: (TransactionID<Interned>) -> Bool) {
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
    /// The account; `nil` where no fact says.
    public let account: String?
    /// The transaction, and its original.
    public let transaction: String, original: String
    /// The product.
    public let product: String
    /// The product's type, where it is known.
    public let kind: ProductKind?
    /// When it was purchased.
    public let purchasedAt: Timestamp
    /// When its period ends, and when it was cancelled, where the receipt says.
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

/// What a row of ``Receipt`` is made of.
private struct ReceiptEntry {
    var account: AccountID<Interned>?
    var transaction: TransactionID<Interned>
    var row: Contents.Row

    func precedes(_ other: ReceiptEntry, _ names: NameTable) -> Bool {
        RowOrder(names).by(account, other.account).by(row.purchasedAt, other.row.purchasedAt)
            .by(transaction, other.transaction).precedes
    }
}
