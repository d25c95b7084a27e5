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
        let subject = ObservedFromLaunch.describe(of: event.fact, facts)
        report.find(
            event, on: line, facts, account: ObservedFromLaunch.account(of: event, facts),
            key: ObservedFromLaunch.key(of: event.fact, facts),
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

    /// The transaction or payment of a queue event as text.
    private static func describe(of fact: Fact<Interned>, _ facts: Facts) -> String {
        if let transaction = fact.transaction { return " of \(facts.describe(transaction))" }
        return fact.payment.map { " of \(facts.describe($0))" } ?? ""
    }

    /// The known owner, otherwise the account of the event.
    private static func account(of event: LogEvent, _ facts: Facts) -> AccountHandle? {
        let owner = event.transaction.flatMap { facts.owner(of: $0) }
        return owner ?? event.payment.flatMap { facts[$0].account } ?? event.account
    }

    /// The transaction or payment of a queue event.
    private static func key(of fact: Fact<Interned>, _ facts: Facts) -> String? {
        fact.transaction.map { facts.text($0) } ?? fact.payment.map { facts.names.text(of: $0) }
    }
}
