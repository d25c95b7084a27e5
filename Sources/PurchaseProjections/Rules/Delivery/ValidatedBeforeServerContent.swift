import PurchaseEvents

/// A transaction that a server validates is delivered only after the outcome `valid` (G4.19, I5).
///
/// Only validations before the delivery count; `valid` holds until `invalid` follows, and
/// `invalid` until `valid` does. An attempt that finds the server unreachable changes neither.
struct ValidatedBeforeServerContent: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "Where delivery.validated is used for a transaction, the transaction is delivered only "
        + "after the outcome valid."
    static let evidence = ["G4.19", "I5"]
    static let reads = EventTypes(.deliveryDelivered)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = event.transaction,
            let outcome = facts[transaction].validation
        else { return }
        report.test()
        guard outcome != .valid else { return }
        let known = facts[transaction]
        let name = facts.name(transaction)
        let reason =
            outcome == .invalid
            ? facts.incompleteReason(after: known.validatedLine) : facts.incompleteReason
        if let reason {
            return report.cannotTell("the log doesn't show \(name) found valid; \(reason)")
        }
        report.find(
            event, on: line, facts, account: facts.account(event, transaction),
            key: facts.text(transaction),
            "\(name) was delivered although its validation says \(outcome.rawValue): expected "
                + "valid before the delivery",
            notes: facts.stated(transaction)
                + Finding.note(
                    known.validatedLine, "then it was validated: \(outcome.rawValue)"),
            hint: "the account may have been given what was never paid for: look at what the app "
                + "does while it waits for the server")
    }
}
