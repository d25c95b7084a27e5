import PurchaseEvents

/// The observer is registered at each launch before the first queue event, and stays registered
/// (G4.1).
///
/// Only an observer receives queue events, so an event without one was lost or handled elsewhere. A
/// finish is the app's own action and needs no observer.
struct ObservedFromLaunch: CatalogueRule {
    static let level = Level.error
    static let statement =
        "After a launch the queue says nothing before the observer is registered on that device, "
        + "nor after it is removed."
    static let evidence = ["G4.1"]
    static let reads = EventTypes(
        .appLaunched, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .queueRemoved)

    /// Whether the rule has reported that the log starts before any observer event.
    private var hasReportedUnseenStart = false

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&hasReportedUnseenStart) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard event.type != .appLaunched else { return report.test() }
        let unobserved = facts[event.device].unobservedLine
        let since = max(facts[event.device].launchedLine, unobserved)
        let observed = facts[event.device].observedLine
        guard since > observed else {
            if since == 0, observed == 0, facts.startsInTheMiddle, !hasReportedUnseenStart {
                hasReportedUnseenStart = true
                report.cannotTell(
                    "whether the observer was registered before the log begins: the log starts "
                        + "in the middle")
            }
            return
        }
        if let reason = facts.incompleteReason(after: since) {
            return report.cannotTell("whether the observer was registered: \(reason)")
        }
        let wasRemoved = since == unobserved
        let place = event.device.map { "device \(facts.names.text(of: $0))" } ?? "the device"
        let entry = event.entry.map { EntryText($0, facts) }
        let subject = entry.map { " of \($0.description)" } ?? ""
        let account = entry?.account ?? event.payment.flatMap { facts[$0].account }
        report.find(
            event, on: line, facts, account: account ?? event.account, key: entry?.key,
            wasRemoved
                ? "the queue reported \(event.type.wireName)\(subject) after the observer of "
                    + "\(place) was removed: expected queue.observed before it"
                : "the queue reported \(event.type.wireName)\(subject) before an observer was "
                    + "registered on \(place): expected queue.observed right after app.launched",
            notes: Finding.note(
                since,
                wasRemoved
                    ? "let the observer of \(place) be removed"
                    : "let the app be launched on \(place), with no queue.observed since"),
            hint: "look at where the app registers its observer: what arrives before it is "
                + "handled by nobody, and its buyer waits until the next launch")
    }
}
