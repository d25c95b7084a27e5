import PurchaseEvents

/// A repeated notification adds nothing (G7.1, I11).
///
/// The store repeats a notification until it is accepted. Once the notification's facts are
/// recorded, no further fact that names the notification as `source` may follow a repetition.
struct NotificationOnce: CatalogueRule {
    static let id = "notification-once"
    static let level = Level.note
    static let statement = """
        Once what a notification states was recorded, receiving it again adds no facts.
        """
    static let evidence = ["G7.1", "I11"]
    static let reads = EventTypes(.notificationReceived)
    static let readsKeys = EnvelopeKeys.source

    private struct Lines {
        /// The line of the first fact with this source.
        var fact: LineNumber = 0
        /// The lines of the first and the latest receipt of the notification.
        var firstReceived: LineNumber = 0, received: LineNumber = 0
    }

    /// The lines of each notification.
    private var notifications = DenseTable(Lines())

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .notificationReceived,
            case .notificationReceived(let received) = event.fact
        {
            let index = received.notification.index
            if notifications[index].received != 0 { report.test() }
            if notifications[index].firstReceived == 0 {
                notifications[index].firstReceived = line.number
            }
            notifications[index].received = line.number
        }
        guard let source = event.source else { return }
        let index = source.index
        let seen = notifications[index]
        guard seen.fact != 0 else {
            notifications[index].fact = line.number
            return
        }
        guard seen.fact < seen.received, seen.firstReceived < seen.received else { return }
        let text = facts.names.text(of: source)
        report.find(
            event, on: line, facts, key: text,
            "notification \(text)\(facts.ownerSuffix(event.account)) was repeated, and this "
                + "event was recorded from it again: expected no more events from it",
            notes: [
                Finding.Note(
                    line: seen.fact, message: "let notification \(text) have stated this before"),
                Finding.Note(
                    line: seen.received, message: "then notification \(text) was received again"),
            ],
            hint: "give what a notification states the notification's own id with #1, #2, …, so "
                + "that a repetition adds nothing")
    }
}
