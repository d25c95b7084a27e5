import PurchaseEvents

/// The delivered quantity of a consumable equals the purchased quantity (G3.1).
///
/// Excess is found at the delivery, a shortfall at the finish. `finished-implies-delivered` finds a
/// missing delivery, and `delivered-once` another delivery after the last.
struct DeliveredQuantity: CatalogueRule {
    static let level = Level.error
    static let statement =
        "The delivered quantity of a consumable never exceeds the purchased quantity, and is not "
        + "less when the transaction is finished."
    static let evidence = ["G3.1"]
    static let reads = EventTypes(.deliveryDelivered, .queueFinished)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .deliveryDelivered {
            guard let transaction = event.transaction,
                facts.kind(of: transaction) == .consumable
            else { return }
            report.test()
            judgeDelivery(transaction, event, on: line, facts, &report)
        } else if let transaction = Finishing.transaction(of: event, facts),
            facts.kind(of: transaction) == .consumable
        {
            judgeFinish(transaction, event, on: line, facts, &report)
        }
    }

    private func judgeDelivery(
        _ transaction: TransactionHandle, _ event: LogEvent, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        let latest = LatestDelivery.of(transaction, facts)
        guard latest.exceeds else { return }
        let name = facts.name(transaction)
        if let reason = LatestDelivery.incompleteReason(transaction, facts) {
            return report.cannotTell("the quantity of \(name) is unknown; \(reason)")
        }
        if let reason = facts.reuseMayBeMissing(of: transaction, event) {
            return report.cannotTell(reason)
        }
        let earlier = latest.before == 0 ? 0 : facts[transaction].previousDeliveredLine
        report.find(
            event, on: line, facts, level: facts.levelOfReuse(of: transaction),
            account: facts.account(event, transaction), key: facts.text(transaction),
            "\(latest.after) of \(name) are delivered: expected at most the \(latest.bought) "
                + "bought",
            notes: facts.stated(transaction)
                + Finding.note(earlier, "then \(latest.before) of it were delivered"),
            hint: "the account got more than it paid for: look at how the app counts what is "
                + "still to be delivered")
    }

    private func judgeFinish(
        _ transaction: TransactionHandle, _ event: LogEvent, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        let known = facts[transaction], paid = facts.unitsKept(of: transaction) ?? known.quantity
        guard known.isDelivered, known.deliveredQuantity < paid,
            !Finishing.losesNothing(transaction, at: event, facts)
        else { return }
        let name = facts.name(transaction)
        if let reason = facts.incompleteReason {
            return report.cannotTell("the log doesn't show all of \(name) delivered; \(reason)")
        }
        report.find(
            event, on: line, facts, account: facts.account(event, transaction),
            key: facts.text(transaction),
            "\(name) was finished with \(known.deliveredQuantity) delivered: expected the \(paid) "
                + (paid == known.quantity ? "bought" : "that a refund left"),
            notes: facts.stated(transaction)
                + Finding.note(known.deliveredLine, "then the last of it was delivered"),
            hint: "the account paid for more than it got, and a finished transaction is not "
                + "presented again: deliver the rest by hand")
    }
}
