import PurchaseEvents

/// No payment is requested while payments are restricted (G2.3).
struct PaymentsAllowed: CatalogueRule {
    static let level = Level.error
    static let statement =
        "After payments are restricted nothing is requested in the same launch of that device, "
        + "until they are allowed."
    static let evidence = ["G2.3"]
    static let reads = EventTypes(.paymentRestricted, .paymentRequested)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard event.type == .paymentRequested else { return report.test() }
        let restricted = facts[event.device].restrictedLine
        guard restricted != 0, case .paymentRequested(let request) = event.fact else { return }
        if let reason = facts.incompleteReason(after: restricted) {
            return report.cannotTell("whether payments were allowed again: \(reason)")
        }
        let name = facts.names.text(of: request.payment)
        report.find(
            event, on: line, facts, account: facts[request.payment].account, key: name,
            "\(facts.describe(request.payment)) was requested while "
                + "payments are restricted: expected payment.allowed or a launch before it",
            notes: Finding.note(restricted, "let payments be restricted on the device"),
            hint: "look at where the app decides to show its store: the user is offered what can "
                + "only fail")
    }
}
