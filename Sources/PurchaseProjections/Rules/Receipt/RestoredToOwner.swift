import PurchaseEvents

/// A restored purchase goes to its owner, whichever account is signed in (G8.6).
///
/// A transaction's first delivery to another account is a finding, whatever was delivered before.
struct RestoredToOwner: CatalogueRule {
    static let level = Level.error
    static let statement =
        "What is restored belongs to the account that restores, or account.linked moves it there "
        + "before it is delivered."
    static let evidence = ["G8.6", "I7"]
    static let reads = EventTypes(.queueRestored, .deliveryDelivered)

    private var tested = TransactionSet()
    private var found = TransactionSet()

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&tested).visit(&found) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = event.transaction, facts[transaction].isRestored,
            let original = facts[transaction].original,
            let restorer = facts[transaction].account ?? event.account,
            let owner = facts.owner(of: original)
        else { return }
        let isDelivery = event.type == .deliveryDelivered
        if tested.insert(transaction) { report.test() }
        let recipient = event.account ?? restorer
        guard isDelivery, restorer != owner, recipient != owner, found.insert(transaction)
        else { return }
        if let reason = facts.incompleteReason {
            return report.cannotTell("whether what is restored was moved before: \(reason)")
        }
        let name = facts.text(transaction)
        let theirs = facts.names.text(of: owner)
        report.find(
            event, on: line, facts, account: recipient, key: name,
            "transaction \(name) restores a purchase of account \(theirs), and was delivered "
                + "to account \(facts.names.text(of: recipient)): expected account.linked before "
                + "the delivery, or a delivery to the owner",
            notes: Finding.note(
                facts[original].statedLine,
                "let \(facts.name(original)), which bought "
                    + "\(facts.describe(facts[original].product)), belong to account \(theirs)")
                + Finding.note(
                    facts[transaction].restoredLine,
                    "then account \(facts.names.text(of: restorer)) restored it as "
                        + "transaction \(name)"),
            hint: "look at which user was signed in to the app: two users of one App Store "
                + "account now use one purchase")
    }
}
