import PurchaseEvents

/// In the sandbox, a subscription renews at most twelve times a day (G9.2); it was six when the
/// guide was written.
///
/// A renewal is a period that neither a payment nor a `renewal.started` began; a day is any 24
/// hours between period starts.
struct SandboxRenewsLittle: CatalogueRule {
    static let level = Level.note
    static let statement = "A line renews at most 12 times a day in the sandbox."
    static let evidence = ["G9.2"]
    static let reads = EventTypes(.renewalStarted)

    private static let most = 12

    private var started = TransactionSet()

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&started) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = event.transaction else { return }
        started.insert(transaction)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for (index, subscription) in facts.subscriptions.enumerated() {
            guard let first = subscription.firstTransaction, facts[first].environment == .sandbox
            else { continue }
            report.test()
            let original = facts.text(subscription.original)
            var renewals: [Period] = []
            facts.forEachPair(ofSubscription: index) { pair in
                let later = pair.later.transaction
                if facts[later].environment == .sandbox, facts[later].payment == nil,
                    !started.contains(later)
                {
                    renewals.append(pair.later)
                }
            }
            let most = SandboxRenewsLittle.most
            for (index, renewal) in renewals.enumerated().dropFirst(most) {
                let before = renewals[(index - most)..<index]
                guard let oldest = before.first,
                    oldest.start.distance(to: renewal.start) < Timestamp.day
                else { continue }
                let text = facts.text(renewal.transaction)
                report.find(
                    at: facts.attestedLine(of: renewal.transaction), facts,
                    account: facts.owner(of: subscription), key: original,
                    "transaction \(text) renews line \(original) more than "
                        + "\(most) times in 24 hours: expected at most \(most) renewals a day in "
                        + "the sandbox",
                    notes: before.map { facts.attested($0.transaction) },
                    hint: "the test environment renews no more often: the renewals may be written "
                        + "by hand, or be of another line")
            }
        }
    }
}
