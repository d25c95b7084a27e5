import PurchaseEvents

/// What was bought in a test environment is not delivered in production.
///
/// A delivery in production is wrong where statements attest its transaction in the sandbox or in
/// Xcode alone, and no statement of production may be missing (G9.3, I10).
struct EnvironmentsApart: Rule {
    static let id = "environments-apart"
    static let level = Level.error
    static let statement = """
        Nothing that is delivered in production rests on a statement of the sandbox or of xcode.
        """
    static let evidence = ["G9.3", "I10"]
    static let reads = EventTypes(.deliveryDelivered)

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = event.transaction,
            let environment = facts[transaction].environment
        else { return }
        report.test()
        guard facts.environment(of: event) == .production, environment != .production,
            !facts[transaction].isStatedInProduction
        else { return }
        if let reason = facts.environmentMayBeMissing(event) { return report.cannotTell(reason) }
        if let missed = facts.mayHaveMissed {
            return report.cannotTell("a statement of production may be missing: \(missed)")
        }
        var stated = facts.attested(transaction)
        stated.message += ", in the environment \(environment.rawValue)"
        report.find(
            event, on: line, facts, account: facts.owner(of: transaction),
            key: facts.text(transaction),
            "transaction \(facts.text(transaction)) of the environment \(environment.rawValue) was "
                + "delivered in production: expected a transaction of production",
            notes: [stated],
            hint: "a test purchase was given what others pay for: look at where the server takes "
                + "the environment of a receipt from")
    }
}
