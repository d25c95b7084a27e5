/// The handles of the names in a statement, as far as its event has them.
package struct StatementNames {
    let table: NameTable
    /// The table's indexes, unmanaged: no access counts references.
    let tables: UnsafeMutablePointer<NameIndex>
    /// The handle of each key's name; ``none`` if the event lacks the name.
    private var handles = SIMD8<UInt32>(repeating: none)
    private static let none = UInt32.max

    /// The names of an event's envelope and fact.
    package init(_ event: LogEvent, _ table: NameTable) {
        (self.table, tables) = (table, table.tables)
        put(event.account, at: 0)
        put(event.device, at: 1)
        put(event.source, at: 2)
        put(event.transaction, at: 3)
        put(event.fact.original, at: 4)
        put(event.payment, at: 5)
        put(event.product, at: 6)
        put(StatementNames.group(of: event.fact), at: 7)
    }

    /// The group that a receipt row or a started or renewed subscription names.
    private static func group(of fact: Fact<Interned>) -> GroupHandle? {
        if case .receiptListed(let payload) = fact { return payload.group }
        if case .renewalStarted(let payload) = fact { return payload.group }
        if case .renewalRenewed(let payload) = fact { return payload.group }
        return nil
    }

    /// Creates an empty set of names.
    package init(_ table: NameTable) { (self.table, tables) = (table, table.tables) }

    private mutating func put<Role>(_ name: Identifier<Role, Interned>?, at place: Int) {
        handles[place] = name?.name.rawValue ?? StatementNames.none
    }

    @inline(__always)
    func name(at key: Key) -> (handle: UInt32, role: NameRole)? {
        guard let (place, role) = StatementNames.place(of: key) else { return nil }
        let handle = handles[place]
        return handle == StatementNames.none ? nil : (handle, role)
    }

    /// The index of a key's handle in ``handles``, and the role of its name.
    @inline(__always)
    static func place(of key: Key) -> (Int, NameRole)? {
        switch key {
        case .account: (0, .account)
        case .device: (1, .device)
        case .source: (2, .notification)
        case .transaction: (3, .transaction)
        case .original: (4, .transaction)
        case .payment: (5, .payment)
        case .product: (6, .product)
        case .group: (7, .group)
        case .seq, .at, .type, .id, .environment, .signedAt, .schema, .app, .writer, .chained,
            .text, .sha256, .file, .kind, .level, .period, .price, .currency, .hosted, .family,
            .quantity, .payer, .purchasedAt, .originalPurchasedAt, .expiresAt, .ownership, .offer,
            .plan, .commitmentNumber, .commitmentOf, .commitmentUntil, .commitmentPrice, .error,
            .code, .outcome, .status, .store, .download, .state, .bytes, .total, .place, .until,
            .reason, .receipt, .cancelledAt, .upgraded, .by, .resubscribed, .recovered, .retrying,
            .graceExpiresAt, .next, .effect, .commitment, .consent, .percent, .notification, .name,
            .subtype, .version, .secret, .signature, .content, .publishedAt, .from, .chain:
            nil
        }
    }
}
