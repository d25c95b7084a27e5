import PurchaseEvents

/// A finished transaction is not presented again (G4.9); a restore creates a new transaction.
///
/// Each device has its own presentations: a presentation on a device that has not finished the
/// transaction is allowed, whatever other devices did. ``RestoredHasOriginal`` reports a
/// transaction that restores itself.
///
/// The level is a note in Xcode's test environment, which reuses identifiers, and after a restore
/// request in the same launch, because StoreKit 2 presents finished transactions after a sync.
struct NotPresentedAfterFinish: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "A transaction is not presented again on a device that finished it; a restore makes new "
        + "ones, and after a restore request in the same launch it is a note."
    static let evidence = ["G4.9", "I3"]
    static let reads = EventTypes(.queuePurchased, .queueRestored, .queueFinished)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = facts.transaction(of: event) else { return }
        let finished = facts[transaction].finishedLine
        if event.type == .queueFinished {
            if finished == line.number { report.test() }
            return
        }
        guard finished != 0, facts.hasFinished(transaction, on: event.device),
            !event.restoresItself
        else { return }
        if let reason = facts.environmentMayBeMissing(event) { return report.cannotTell(reason) }
        let name = facts.text(transaction)
        report.find(
            event, on: line, facts,
            level: isSynced(event, facts) ? .note : facts.levelOfReuse(event),
            account: facts.owner(of: transaction), key: name,
            "transaction \(name) was presented again by \(event.type.wireName), although it is "
                + "finished: expected no more queue events of it",
            notes: facts.stated(transaction)
                + Finding.note(finished, "then it was finished"),
            hint: "look at whether the finish reached the queue: one that didn't is presented at "
                + "each launch, and a consumable may then be delivered again")
    }

    /// Whether a restore was requested on the event's device since its latest launch.
    private func isSynced(_ event: LogEvent, _ facts: Facts) -> Bool {
        facts[event.device].restoreRequestedLine > facts[event.device].launchedLine
    }
}
