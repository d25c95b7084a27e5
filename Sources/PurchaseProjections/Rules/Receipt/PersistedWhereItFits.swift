import PurchaseEvents

/// A purchase is persisted in a store that suits its kind (G4.11).
///
/// A kind that only a later line states counts too.
struct PersistedWhereItFits: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "A non-consumable and an auto-renewable subscription are persisted by the receipt, user "
        + "defaults or iCloud, a non-renewing one by iCloud, a consumable by the app's own saved "
        + "state; the app's server fits every kind."
    static let evidence = ["G4.11"]
    static let reads = EventTypes(.deliveryPersisted)

    private struct Persisted: Sendable {
        var transaction: TransactionHandle
        var store: PersistentStore
        var line: LineNumber
    }

    /// What was persisted while no line of the log had stated its kind.
    private var waiting: [Persisted] = []

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&waiting) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard case .deliveryPersisted(let payload) = event.fact else { return }
        let persisted = Persisted(
            transaction: payload.transaction, store: payload.store, line: line.number)
        if !judge(persisted, facts, &report) { waiting.append(persisted) }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for persisted in waiting { _ = judge(persisted, facts, &report) }
    }

    /// Judges what was persisted; `false` if its kind isn't stated.
    private func judge(_ persisted: Persisted, _ facts: Facts, _ report: inout Report) -> Bool {
        guard let kind = facts.kind(of: persisted.transaction) else { return false }
        report.test()
        let fitting = PersistedWhereItFits.stores(of: kind)
        guard !fitting.contains(persisted.store) else { return true }
        let name = facts.text(persisted.transaction)
        report.find(
            at: persisted.line, facts, account: facts.owner(of: persisted.transaction), key: name,
            "transaction \(name), of kind \(kind.rawValue), was persisted in "
                + "\(persisted.store.rawValue): expected "
                + fitting.map(\.rawValue).joined(separator: " or "),
            notes: Finding.note(
                facts[persisted.transaction].statedLine,
                "let \(facts.describe(persisted.transaction)) be stated, a product of kind "
                    + kind.rawValue),
            hint: "look at whether the purchase outlives the store's own rules: a consumable "
                + "leaves the receipt, and saved state stays on one device")
        return true
    }

    private static func stores(of kind: ProductKind) -> [PersistentStore] {
        switch kind {
        case .nonConsumable, .autoRenewable: [.receipt, .userDefaults, .iCloud, .server]
        case .nonRenewing: [.iCloud, .server]
        case .consumable: [.appState, .server]
        }
    }
}
