import PurchaseEvents

/// A delivery follows a statement of the App Store (G4.2, I5).
///
/// What the app's server gave and what the App Store's servers state meet in one log by their
/// times, so a statement may come after the delivery that it allows: it counts if it dates the
/// purchase before the delivery, unless the queue presented the transaction, which the app must
/// wait for. The App Store renews up to a day before a period begins (G6.6), so the date of a
/// later period of a subscription may be up to a day after the delivery; but not that of a new
/// start or an upgrade, which begins when it is bought.
struct DeliveredImpliesPaid: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A statement of the transaction precedes its delivery in the log: queue.purchased, "
        + "queue.restored, receipt.listed, renewal.started or renewal.renewed; or a later one, not "
        + "of the queue, dates the purchase before it, or a renewal at most a day after it. A "
        + "purchasing, deferred, failed or unknown payment is not delivered."
    static let evidence = ["G4.2", "I5"]
    static let reads = EventTypes(.deliveryDelivered, .renewalStarted)

    private struct Delivery: BitwiseCopyable {
        var transaction: TransactionHandle
        var account: AccountHandle?
        var at: Timestamp
        var line: LineNumber
    }

    private var unstated: [Delivery] = []
    private var started = TransactionSet()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&unstated).visit(&started)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = event.transaction else { return }
        if event.type == .renewalStarted {
            started.insert(transaction)
            return
        }
        report.test()
        guard facts[transaction].statedLine == 0 else { return }
        if let reason = facts.incompleteReason {
            let name = facts.name(transaction)
            return report.cannotTell("no statement of \(name) is seen; \(reason)")
        }
        let account = facts.account(event, transaction)
        unstated.append(
            Delivery(
                transaction: transaction, account: account, at: event.at, line: line.number))
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for delivery in unstated where !isPaid(delivery, facts) {
            let name = facts.name(delivery.transaction)
            report.find(
                at: delivery.line, facts, account: delivery.account,
                key: facts.text(delivery.transaction),
                "\(name) was delivered to \(facts.describe(delivery.account)), but the App Store "
                    + "had not stated it: expected queue.purchased, queue.restored, "
                    + "receipt.listed, renewal.started or renewal.renewed before the delivery",
                hint: "the account was given something that nobody is known to have paid for: "
                    + "look at what the app treated as a purchase")
        }
    }

    /// Whether a statement that came later, and not from the queue, dates the purchase before a
    /// delivery; a renewal may be stated a day before its date.
    private func isPaid(_ delivery: Delivery, _ facts: Facts) -> Bool {
        let known = facts[delivery.transaction]
        guard known.purchasedLine == 0, !known.isRestored, let purchasedAt = known.purchasedAt
        else { return false }
        let isRenewal =
            facts.kind(of: delivery.transaction) == .autoRenewable
            && facts.original(of: delivery.transaction) != delivery.transaction
            && !started.contains(delivery.transaction)
        return purchasedAt <= delivery.at.advanced(byMilliseconds: isRenewal ? Timestamp.day : 0)
    }
}
