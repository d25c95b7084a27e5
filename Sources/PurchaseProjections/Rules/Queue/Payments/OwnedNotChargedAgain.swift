import PurchaseEvents

/// An account is not charged again for a non-consumable that it owns (G8.5).
///
/// An account owns what it bought or restored, and what was linked to it; it does not own what was
/// refunded, revoked or shared by the family. Each purchase costs a scan of the account's
/// purchases.
struct OwnedNotChargedAgain: CatalogueRule {
    static let id = "owned-not-charged-again"
    static let level = Level.warning
    static let statement =
        "A non-consumable that the account owns is not bought again at a price above 0."
    static let evidence = ["G8.5"]
    static let reads = EventTypes(.queuePurchased, .receiptListed)

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = event.transaction,
            facts.kind(of: transaction) == .nonConsumable
        else { return }
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

    /// The latest other transaction by which an account owns the same product in the same
    /// environment; environments never mix (G9.3).
    private func owned(
        besides transaction: TransactionID<Interned>, by account: AccountID<Interned>,
        at line: LineNumber, _ facts: Facts
    ) -> TransactionID<Interned>? {
        let (product, environment) = (facts[transaction].product, facts[transaction].environment)
        var found: TransactionID<Interned>?
        _ = facts.purchasesByAccount.contains(under: IndexLists.key(account)) { value in
            let other = TransactionID<Interned>(index: Int(value))
            // A restore of this purchase is not another purchase.
            guard other != transaction, facts.original(of: other) != transaction,
                facts[other].product == product, facts[other].environment == environment,
                isOwned(other, by: account, at: line, facts)
            else { return false }
            found = other
            return true
        }
        return found
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
