import PurchaseEvents

/// A restored transaction stands for another, its original, and never for a consumable (G8.3).
struct RestoredHasOriginal: Rule {
    static let id = "restored-has-original"
    static let level = Level.error
    static let statement =
        "A restored transaction names an original that is not itself, and is never of a "
        + "consumable."
    static let evidence = ["G8.3", "I6"]
    static let reads = EventTypes(.queueRestored)

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard event.type == .queueRestored, case .queueRestored(let restored) = event.fact,
            facts[restored.transaction].restoredLine == line.number
        else { return }
        report.test()
        let name = facts.text(restored.transaction)
        let account = facts.owner(of: restored.transaction)
        if restored.original == restored.transaction {
            report.find(
                event, on: line, facts, account: account, key: name,
                "transaction \(name) restores itself: expected another transaction as its "
                    + "original",
                hint: "look at where the recorder takes the original's identifier from: without "
                    + "it nobody can tell which purchase is restored")
        } else if facts.kind(of: restored.transaction) == .consumable {
            let product = facts.names.text(of: restored.product)
            let listed = facts[restored.product].listedLine
            let note = Finding.Note(
                line: listed, message: "let \(product) be listed as consumable")
            report.find(
                event, on: line, facts, account: account, key: name,
                "transaction \(name) restores \(product), a consumable: expected no restored "
                    + "transaction of what is used up",
                notes: listed == 0 ? [] : [note],
                hint: "look at the product's kind in the catalogue: delivering it would give the "
                    + "account a consumable for nothing")
        }
    }
}
