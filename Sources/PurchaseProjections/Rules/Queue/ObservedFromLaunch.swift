import PurchaseEvents

/// The observer is registered at each launch before the queue says anything, and stays (G4.1).
///
/// What the queue says can only be heard by an observer, so a queue event without one was lost or
/// heard by somebody else. Finishing is the app's own act and needs none.
struct ObservedFromLaunch: Rule {
    static let id = "observed-from-launch"
    static let level = Level.error
    static let statement =
        "After a launch the queue says nothing before the observer is registered on that device, "
        + "nor after it is removed."
    static let evidence = ["G4.1"]
    static let reads = EventTypes(
        .appLaunched, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .queueRemoved)

    /// Whether it was said that the log begins before it tells of an observer.
    private var saysItBeginsUnseen = false

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard event.type != .appLaunched else { return report.test() }
        let unobserved = facts[event.device].unobservedLine
        let since = max(facts[event.device].launchedLine, unobserved)
        let observed = facts[event.device].observedLine
        guard since > observed else {
            if since == 0, observed == 0, facts.startsInTheMiddle, !saysItBeginsUnseen {
                saysItBeginsUnseen = true
                report.cannotTell(
                    "whether the observer was registered before the log begins: the log starts "
                        + "in the middle")
            }
            return
        }
        if let missed = facts.mayHaveMissed(after: since) {
            return report.cannotTell("whether the observer was registered: \(missed)")
        }
        let wasRemoved = since == unobserved
        let place = event.device.map { "device \(facts.names.text(of: $0))" } ?? "the device"
        report.find(
            event, on: line, facts, key: ObservedFromLaunch.key(of: event.fact, facts),
            wasRemoved
                ? "the queue said \(event.type.wireName) after the observer of \(place) was "
                    + "removed: expected queue.observed before it"
                : "the queue said \(event.type.wireName) before an observer was registered on "
                    + "\(place): expected queue.observed right after app.launched",
            notes: [
                Finding.Note(
                    line: since,
                    message: wasRemoved
                        ? "let the observer of \(place) be removed"
                        : "let the app be launched on \(place), with no queue.observed since")
            ],
            hint: "look at where the app registers its observer: what arrives before it is "
                + "handled by nobody, and its buyer waits until the next launch")
    }

    /// The transaction or the payment that the queue spoke of.
    private static func key(of fact: Fact<Interned>, _ facts: Facts) -> String? {
        fact.transaction.map { facts.text($0) } ?? fact.payment.map { facts.names.text(of: $0) }
    }
}
