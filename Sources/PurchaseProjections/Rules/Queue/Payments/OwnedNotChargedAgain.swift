import PurchaseEvents

/// An account is not charged again for a non-consumable that it owns (G8.5).
///
/// An account owns what it bought or restored, and what was linked to it; it does not own what was
/// refunded, revoked or shared by the family. Purchases are listed by product and owner; a list
/// drops what is not owned, until an event may have changed that.
struct OwnedNotChargedAgain: CatalogueRule {
    static let id = "owned-not-charged-again"
    static let level = Level.warning
    static let statement =
        "A non-consumable that the account owns is not bought again at a price above 0."
    static let evidence = ["G8.5"]
    static let reads = EventTypes(
        .queuePurchased, .queueRestored, .receiptListed, .accountLinked, .cancellationReversed,
        .deliveryValidated)

    /// A purchase in a list; `next` is an index plus one, and 0 ends the list.
    private struct Link {
        var transaction = TransactionID<Interned>(index: 0)
        var next: UInt32 = 0
    }

    /// The lists by product, environment and owner: the index plus one of the latest link.
    private var heads = HandleMap<UInt32>(0)
    private var links = DenseTable(Link())
    /// The owner under whom each transaction is listed, by ``IndexLists/key(_:)``; 0 if it is in no
    /// list.
    private var listed = DenseTable<UInt32>(0)

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .accountLinked, case .accountLinked(let linked) = event.fact {
            return listFamily(of: linked.original, facts)
        }
        guard let transaction = event.transaction else { return }
        if event.type == .cancellationReversed || event.type == .deliveryValidated {
            return listFamily(of: transaction, facts)
        }
        let kind = facts.kind(of: transaction)
        guard kind == nil || kind == .nonConsumable else { return }
        if kind != nil { judge(transaction, event, on: line, facts, &report) }
        list(transaction, facts)
    }

    private mutating func judge(
        _ transaction: TransactionID<Interned>, _ event: Event<Interned>, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        guard event.type != .queueRestored else { return }
        // Restores and repeated statements are not new purchases.
        let purchased = facts[transaction].purchasedLine
        guard
            purchased == line.number
                || (facts[transaction].listedLine == line.number && purchased == 0),
            facts[transaction].ownership != .familyShared,
            facts.original(of: transaction) == transaction,
            let account = facts.owner(of: transaction),
            let owned = owned(besides: transaction, by: account, at: line.number, facts)
        else { return }
        report.test()
        guard let price = facts[transaction].price, price.thousandths > 0 else { return }
        find(transaction, price, owned: owned, event, line, facts, &report)
    }

    /// Lists a transaction and the latest that restores it.
    private mutating func listFamily(of original: TransactionID<Interned>, _ facts: Facts) {
        list(original, facts)
        if let restored = facts[original].restoredAs { list(restored, facts) }
    }

    /// Lists a purchase under its owner.
    private mutating func list(_ transaction: TransactionID<Interned>, _ facts: Facts) {
        guard facts.kind(of: transaction).map({ $0 == .nonConsumable }) ?? true,
            facts[transaction].periodOfLine == 0, let owner = facts.owner(of: transaction),
            listed[transaction.index] != IndexLists.key(owner),
            let key = OwnedNotChargedAgain.key(of: transaction, owner, facts)
        else { return }
        listed[transaction.index] = IndexLists.key(owner)
        links.append(Link(transaction: transaction, next: heads[key] ?? 0))
        heads[key] = UInt32(links.count)
    }

    /// The key of the list of a transaction's product and environment; environments never mix
    /// (G9.3).
    private static func key(
        of transaction: TransactionID<Interned>, _ account: AccountID<Interned>, _ facts: Facts
    ) -> HandleKey? {
        guard let product = facts[transaction].product,
            let environment = facts[transaction].environment
        else { return nil }
        let place = product.name.rawValue &* 4 &+ UInt32(Environment.pack(environment))
        return HandleKey(place, IndexLists.key(account))
    }

    /// The latest other transaction by which an account owns the same product in the same
    /// environment.
    private mutating func owned(
        besides transaction: TransactionID<Interned>, by account: AccountID<Interned>,
        at line: LineNumber, _ facts: Facts
    ) -> TransactionID<Interned>? {
        guard let key = OwnedNotChargedAgain.key(of: transaction, account, facts) else {
            return nil
        }
        var (kept, place) = (0, Int(heads[key] ?? 0))
        while place != 0 {
            let other = links[place - 1].transaction
            let next = links[place - 1].next
            if isOwned(other, by: account, at: line, facts) {
                // A restore of this purchase is not another purchase.
                if other != transaction, facts.original(of: other) != transaction { return other }
                kept = place
            } else {
                if listed[other.index] == IndexLists.key(account) { listed[other.index] = 0 }
                if kept == 0 { heads[key] = next } else { links[kept - 1].next = next }
            }
            place = Int(next)
        }
        return nil
    }

    private func isOwned(
        _ transaction: TransactionID<Interned>, by account: AccountID<Interned>,
        at line: LineNumber, _ facts: Facts
    ) -> Bool {
        let known = facts[transaction]
        // A known refund counts, whatever its date.
        guard !facts.isRefunded(transaction, at: line, .latest), known.validation != .invalid,
            known.ownership != .familyShared, facts.owner(of: transaction) == account
        else { return false }
        // A restored product is owned as long as the purchase that it restores.
        guard known.isOnlyRestored, let original = known.original else { return true }
        return facts[original].validation != .invalid
    }

    private func find(
        _ transaction: TransactionID<Interned>, _ price: Price, owned: TransactionID<Interned>,
        _ event: Event<Interned>, _ line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let stated = facts[owned].statedLine
        let isWhole = !facts.startsInTheMiddle || facts[owned].purchasedLine != 0
        let reason = isWhole ? facts.incompleteReason(after: stated) : facts.incompleteReason
        if let reason {
            return report.cannotTell("whether what is owned was refunded: \(reason)")
        }
        let name = facts[transaction].product.map { facts.names.text(of: $0) } ?? ""
        let currency = price.currency.map { " \($0.code)" } ?? ""
        report.find(
            event, on: line, facts, account: facts.owner(of: transaction),
            key: facts.text(transaction),
            "transaction \(facts.text(transaction)) charges \(price.thousandths)\(currency) "
                + "(thousandths) for \(name), which the account owns: expected no price, or 0",
            notes: [
                Finding.Note(
                    line: stated,
                    message: "let \(facts.describe(facts.owner(of: transaction))) own \(name) by "
                        + "transaction \(facts.text(owned))")
            ],
            hint: "look at both charges at the App Store: the account may have paid twice for one "
                + "thing, and a refund may be due")
    }
}
