import PurchaseEvents

/// A purchase made in a test environment is not delivered in production (G9.3, I10).
///
/// A delivery in production is wrong if only sandbox or Xcode statements attest its transaction, or
/// the purchase that the transaction restores. The rule can't tell if the log may lack a production
/// statement.
struct EnvironmentsApart: CatalogueRule {
    static let level = Level.error
    static let statement = """
        Nothing that is delivered in production rests on a statement of the sandbox or of xcode.
        """
    static let evidence = ["G9.3", "I10"]
    static let reads = EventTypes(.deliveryDelivered)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = event.transaction,
            let environment = facts[transaction].environment
        else { return }
        report.test()
        guard facts.environment(of: event) == .production else { return }
        if environment != .production {
            find(event, on: line, transaction, of: environment, facts, &report)
        } else if let original = facts.testPurchase(restoredBy: transaction),
            let environment = facts[original].environment
        {
            find(event, on: line, original, of: environment, facts, &report)
        }
    }

    /// Reports the delivery of a test purchase, either the transaction itself or the purchase that
    /// it restores.
    private func find(
        _ event: LogEvent, on line: Line, _ purchase: TransactionHandle,
        of environment: Environment, _ facts: Facts, _ report: inout Report
    ) {
        if let reason = facts.environmentMayBeMissing(event) { return report.cannotTell(reason) }
        if let reason = facts.incompleteReason {
            return report.cannotTell("a statement of production may be missing: \(reason)")
        }
        let transaction = event.transaction ?? purchase
        let name = facts.text(transaction)
        var stated = facts.attested(purchase)
        stated.message += ", in the environment \(environment.rawValue)"
        let isRestored = purchase != transaction
        let its = isRestored ? ", which restores transaction \(facts.text(purchase))" : ""
        report.find(
            event, on: line, facts, account: facts.owner(of: transaction), key: name,
            "transaction \(name)\(its) of the environment \(environment.rawValue)"
                + "\(isRestored ? "," : "") was delivered in production: expected a transaction "
                + "of production",
            notes: isRestored ? [stated, facts.attested(transaction)] : [stated],
            hint: "a test purchase was given what others pay for: look at where the server takes "
                + "the environment of a receipt from")
    }
}
