import PurchaseEvents

/// A restored transaction names another transaction as its original and is never of a consumable
/// (G8.3).
///
/// The original's product and the kinds may be stated later, so a restored transaction that neither
/// breaks nor keeps the rule yet is judged at the end of the log.
struct RestoredHasOriginal: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A restored transaction names an original that is not itself, and is never of a "
        + "consumable; the restore of a non-consumable or non-renewing original is of its product."
    static let evidence = ["G8.3", "I6"]
    static let reads = EventTypes(.queueRestored)

    private struct Restored: Sendable {
        var transaction: TransactionHandle, original: TransactionHandle
        var product: ProductHandle
        /// What the log had said of the product's kind before the restore.
        var kind: ProductKind?
        var line: LineNumber
    }

    /// Restored transactions whose kind or original the log had not stated.
    private var waiting: [Restored] = []

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&waiting) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard case .queueRestored(let payload) = event.fact,
            facts[payload.transaction].restoredLine == line.number
        else { return }
        report.test()
        let restored = Restored(
            transaction: payload.transaction, original: payload.original,
            product: payload.product, kind: kind(of: payload.product, payload.transaction, facts),
            line: line.number)
        if event.restoresItself {
            let name = facts.text(payload.transaction)
            report.find(
                event, on: line, facts, account: facts.owner(of: payload.transaction), key: name,
                "\(facts.describe(payload.transaction)) restores itself: expected another "
                    + "transaction as its original",
                hint: "look at where the recorder takes the original's identifier from: without "
                    + "it nobody can tell which purchase is restored")
        } else if !judge(restored, facts, &report) {
            waiting.append(restored)
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for restored in waiting { _ = judge(restored, facts, &report) }
    }

    /// Judges a restored transaction; `false` if what it needs for that isn't stated.
    private func judge(_ restored: Restored, _ facts: Facts, _ report: inout Report) -> Bool {
        let kind = restored.kind ?? self.kind(of: restored.product, restored.transaction, facts)
        if kind == .consumable {
            findConsumable(restored, facts, &report)
            return true
        }
        guard let bought = facts[restored.original].product else { return false }
        guard bought != restored.product else { return kind != nil }
        switch self.kind(of: bought, restored.original, facts) {
        case .autoRenewable: return kind != nil
        case .consumable, .nonConsumable, .nonRenewing:
            findOther(restored, bought, facts, &report)
            return true
        case nil: return false
        }
    }

    private func kind(
        of product: ProductHandle, _ transaction: TransactionHandle, _ facts: Facts
    ) -> ProductKind? {
        facts[product].kind ?? facts.kind(of: transaction)
    }

    private func findConsumable(_ restored: Restored, _ facts: Facts, _ report: inout Report) {
        let product = facts.names.text(of: restored.product)
        report.find(
            at: restored.line, facts, account: facts.owner(of: restored.transaction),
            key: facts.text(restored.transaction),
            "\(facts.describe(restored.transaction)) restores a consumable: expected no "
                + "restored transaction of a consumable",
            notes: Finding.note(
                facts[restored.product].listedLine, "let \(product) be listed as consumable"),
            hint: "look at the product's kind in the catalogue: delivering it would give the "
                + "account a consumable for nothing")
    }

    /// Reports a product other than the original's; only a subscription may change its
    /// product.
    private func findOther(
        _ restored: Restored, _ bought: ProductHandle, _ facts: Facts, _ report: inout Report
    ) {
        let (name, original) = (facts.text(restored.transaction), facts.text(restored.original))
        let product = facts.names.text(of: bought)
        let kind = facts.kind(of: restored.original)?.rawValue ?? "unknown"
        report.find(
            at: restored.line, facts, account: facts.owner(of: restored.transaction), key: name,
            "transaction \(name) restores \(facts.names.text(of: restored.product)), and its "
                + "original, transaction \(original), bought \(product): expected \(product)",
            notes: Finding.note(
                facts[restored.original].statedLine,
                "let \(facts.describe(restored.original)) be bought, a product of kind " + kind),
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
