import PurchaseEvents

/// A receipt sent to the wrong environment is then sent to the right one (G9.1).
struct ValidatedInBoth: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "A validation of a receipt with status 21007 is followed by one of it in the sandbox, and "
        + "21008 by one in production."
    static let evidence = ["G9.1"]
    static let reads = EventTypes(.receiptValidated)

    /// A receipt, and the environment that is to validate it.
    private struct Expected: Hashable {
        var receipt: ReceiptHandle
        var environment: Environment
    }

    private struct Waiting {
        var status: Int64
        var line: LineNumber
        var account: AccountHandle?
    }

    private var waiting: [Expected: [Waiting]] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&waiting) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard case .receiptValidated(let payload) = event.fact else { return }
        let environment = facts.environment(of: event)
        waiting[Expected(receipt: payload.receipt, environment: environment)] = nil
        guard let status = payload.status, status == 21007 || status == 21008 else { return }
        report.test()
        let expected = Expected(
            receipt: payload.receipt, environment: status == 21007 ? .sandbox : .production)
        waiting[expected, default: []].append(
            Waiting(status: status, line: line.number, account: event.account))
    }

    mutating func finish(facts: Facts, report: inout Report) {
        let all = waiting.flatMap { expected, open in open.map { (expected, $0) } }
        for (expected, open) in all.sorted(by: { $0.1.line < $1.1.line }) {
            if let reason = facts.incompleteReason(after: open.line) {
                report.cannotTell("whether a receipt was validated again: \(reason)")
                continue
            }
            let name = facts.names.text(of: expected.receipt)
            report.find(
                at: open.line, facts, account: open.account, key: name,
                "receipt \(name)\(facts.ownerSuffix(open.account)) was answered with status "
                    + "\(open.status) and not tried again: expected receipt.validated of it in "
                    + "\(expected.environment.rawValue)",
                hint: "look at how the server picks its environment: App Review and testers buy in "
                    + "the sandbox with the production build, and get nothing")
        }
    }
}
