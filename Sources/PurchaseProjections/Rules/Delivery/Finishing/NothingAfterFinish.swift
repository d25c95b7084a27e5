import PurchaseEvents

/// The app does no more work on a transaction after it is finished (G4.9).
///
/// Finishing is the act of one device: another may deliver for itself what it is told of. A
/// withdrawal begins the work anew, so a product can be delivered again after a reversed refund or
/// an extended period. So does a reversal alone if the transaction was finished undelivered because
/// of the refund. `delivered-once` reports excess deliveries of consumables. The level is a note in
/// Xcode's test environment, which reuses identifiers: the work may be on a new purchase.
///
/// In a merged log, what a recorder without a device says within five minutes after a device's
/// finish may have come before it: their clocks may differ by as much.
struct NothingAfterFinish: CatalogueRule {
    static let level = Level.error
    static let statement =
        "After a transaction is finished it is not delivered, downloaded, persisted or installed "
        + "on the device that finished it, except after it was withdrawn, where a delivery "
        + "restarts its quantity, or, if a refund came before any delivery and the finish, after "
        + "the refund was reversed. A line without a device is on every one. In the environment "
        + "xcode such work is a note, as identifiers start again there."
    static let evidence = ["G4.9"]
    static let reads = EventTypes(
        .queueFinished, .deliveryDelivered, .deliveryDownload, .deliveryPersisted,
        .deliveryInstalled)

    /// The second of each transaction's first finish, counted from 1970 and 1; 0 if a finish names
    /// no device.
    private var finishedAt = DenseTable<UInt32>(0)

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&finishedAt) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = facts.transaction(of: event) else { return }
        let finished = facts[transaction].finishedLine
        if event.type == .queueFinished {
            let isFirst = finished == line.number
            if isFirst { report.test() }
            if !facts.isChained { note(transaction, event, isFirst: isFirst) }
            return
        }
        guard finished != 0, facts.hasFinished(transaction, on: event.device) else { return }
        let name = facts.name(transaction)
        let restart = facts.restartLine(of: transaction)
        if event.type != .deliveryDelivered {
            let latest = facts[transaction].latestFinishedLine
            if restart > latest { return }
            if let reason = facts.incompleteReason(after: latest) {
                return report.cannotTell("no withdrawal of \(name) is seen; \(reason)")
            }
        } else {
            let latest = LatestDelivery.of(transaction, facts)
            if restart != 0, !latest.isAgain { return }
            if latest.isAgain, facts.kind(of: transaction) == .consumable { return }
            if let reason = facts.incompleteReason {
                return report.cannotTell("no withdrawal of \(name) is seen; \(reason)")
            }
        }
        if mayPrecedeFinish(transaction, event) {
            return report.cannotTell(
                "\(event.type.wireName) of \(name) comes from another recorder within five minutes "
                    + "after its finish, and their clocks may differ by as much")
        }
        if let reason = facts.reuseMayBeMissing(of: transaction, event) {
            return report.cannotTell(reason)
        }
        report.find(
            event, on: line, facts, level: facts.levelOfReuse(event),
            account: facts.account(event, transaction), key: facts.text(transaction),
            "\(event.type.wireName) of \(name) comes after its finish: expected no further "
                + "work on it",
            notes: facts.stated(transaction)
                + Finding.note(finished, "then it was finished"),
            hint: "the work was not done when the transaction was finished: had the app ended in "
                + "between, it would have been lost; look at what finishes too early")
    }

    /// Notes when a device finished a transaction first.
    private mutating func note(
        _ transaction: TransactionHandle, _ event: LogEvent, isFirst: Bool
    ) {
        let place = Facts.index(of: transaction)
        if event.device == nil {
            if finishedAt[place] != 0 { finishedAt[place] = 0 }
        } else if isFirst {
            finishedAt[place] = NothingAfterFinish.second(of: event.at)
        }
    }

    /// Whether work may have come before the finish that precedes it in the log: only devices
    /// finished, and another recorder did the work.
    private func mayPrecedeFinish(_ transaction: TransactionHandle, _ event: LogEvent) -> Bool {
        guard event.device == nil else { return false }
        let finished = finishedAt[Facts.index(of: transaction)]
        let skew = HeldFinishes.skew / 1_000
        return finished != 0
            && Int64(NothingAfterFinish.second(of: event.at)) <= Int64(finished) + skew
    }

    private static func second(of instant: Timestamp) -> UInt32 {
        UInt32(clamping: instant.milliseconds / 1_000 + 1)
    }
}
