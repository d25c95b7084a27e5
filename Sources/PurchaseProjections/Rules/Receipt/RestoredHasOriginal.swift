import PurchaseEvents

/// A restored transaction names another transaction as its original and is never a consumable
/// (G8.3).
struct RestoredHasOriginal: CatalogueRule {
    static let id = "restored-has-original"
    static let level = Level.error
    static let statement =
        "A restored transaction names an original that is not itself, and is never of a "
        + "consumable; the restore of a non-consumable or non-renewing original is of its product."
    static let evidence = ["G8.3", "I6"]
    static let reads = EventTypes(.queueRestored)

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard case .queueRestored(let restored) = event.fact,
            facts[restored.transaction].restoredLine == line.number
        else { return }
        report.test()
        let name = facts.text(restored.transaction)
        let account = facts.owner(of: restored.transaction)
        if event.restoresItself {
            report.find(
                event, on: line, facts, account: account, key: name,
                "\(facts.describe(restored.transaction)) restores itself: expected another "
                    + "transaction as its original",
                hint: "look at where the recorder takes the original's identifier from: without "
                    + "it nobody can tell which purchase is restored")
        } else if facts.kind(of: restored.transaction) == .consumable {
            let product = facts.names.text(of: restored.product)
            let listed = facts[restored.product].listedLine
            let note = Finding.Note(
                line: listed, message: "let \(product) be listed as consumable")
            report.find(
                event, on: line, facts, account: account, key: name,
                "\(facts.describe(restored.transaction)) restores a consumable: expected no "
                    + "restored transaction of a consumable",
                notes: listed == 0 ? [] : [note],
                hint: "look at the product's kind in the catalogue: delivering it would give the "
                    + "account a consumable for nothing")
        } else {
            compare(restored, account, event, on: line, facts, &report)
        }
    }

    /// Reports a product other than the original's; only a subscription line may change its
    /// product.
    private func compare(
        _ restored: QueueRestored<Interned>, _ account: AccountID<Interned>?,
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let bought = facts[restored.original].product, bought != restored.product,
            let kind = facts[bought].kind, kind == .nonConsumable || kind == .nonRenewing
        else { return }
        let (name, original) = (facts.text(restored.transaction), facts.text(restored.original))
        let product = facts.names.text(of: bought)
        report.find(
            event, on: line, facts, account: account, key: name,
            "transaction \(name) restores \(facts.names.text(of: restored.product)), and its "
                + "original, transaction \(original), bought \(product): expected \(product)",
            notes: [
                Finding.Note(
                    line: facts[restored.original].statedLine,
                    message:
                        "let \(facts.describe(restored.original)) be bought, a product of kind "
                        + kind.rawValue)
            ],
            hint: "look at where the recorder takes product and original from: delivering it would "
                + "give the account what it never bought, and not what it did")
    }
}

extension Event where S == Interned {
    /// Whether the event is a restore that names itself as its original.
    var restoresItself: Bool {
        guard type == .queueRestored, case .queueRestored(let restored) = fact else { return false }
        return restored.original == restored.transaction
    }
}
