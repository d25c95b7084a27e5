import PurchaseEvents

/// The app does no more work on a transaction after it is finished (G4.9).
///
/// Finishing is the act of one device: another may deliver for itself what it is told of. A
/// withdrawal restarts the quantity, so a product can be delivered again after a reversed refund or
/// an extended period. `delivered-once` reports excess deliveries of consumables. The level is a
/// note in Xcode's test environment, which reuses identifiers: the work may be on a new purchase.
struct NothingAfterFinish: CatalogueRule {
    static let level = Level.error
    static let statement =
        "After a transaction is finished it is not delivered, downloaded, persisted or installed "
        + "on the device that finished it, except a delivery after it was withdrawn, which "
        + "restarts its quantity. A line without a device is on every one. In the environment "
        + "xcode such work is a note, as identifiers start again there."
    static let evidence = ["G4.9"]
    static let reads = EventTypes(
        .queueFinished, .deliveryDelivered, .deliveryDownload, .deliveryPersisted,
        .deliveryInstalled)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = facts.transaction(of: event) else { return }
        let finished = facts[transaction].finishedLine
        if event.type == .queueFinished {
            if finished == line.number { report.test() }
            return
        }
        guard finished != 0, facts.hasFinished(transaction, on: event.device) else { return }
        let name = DeliveryPhrases.name(transaction, facts)
        if event.type == .deliveryDelivered {
            let latest = LatestDelivery.of(transaction, facts)
            if facts[transaction].withdrawnLine != 0, !latest.isAgain { return }
            if latest.isAgain, facts.kind(of: transaction) == .consumable { return }
            if let reason = facts.incompleteReason {
                return report.cannotTell("no withdrawal of \(name) is seen; \(reason)")
            }
        }
        // A purchase under an identifier that Xcode uses again is presented after the finish.
        let presented = max(
            facts[transaction].latestPurchasedLine, facts[transaction].latestRestoredLine)
        if presented > finished, let reason = facts.environmentMayBeMissing(event) {
            return report.cannotTell(reason)
        }
        report.find(
            event, on: line, facts, level: facts.levelOfReuse(event),
            account: DeliveryPhrases.account(event, transaction, facts),
            key: facts.text(transaction),
            "\(event.type.wireName) of \(name) comes after its finish: expected no further "
                + "work on it",
            notes: DeliveryPhrases.stated(transaction, facts)
                + DeliveryPhrases.note(finished, "then it was finished"),
            hint: "the work was not done when the transaction was finished: had the app ended in "
                + "between, it would have been lost; look at what finishes too early")
    }
}
