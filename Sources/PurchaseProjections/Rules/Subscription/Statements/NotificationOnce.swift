import PurchaseEvents

/// A repeated notification adds nothing (G7.1, I11).
///
/// The store repeats a notification until it is accepted. No fact that names the notification as
/// `source` may follow a repetition.
struct NotificationOnce: CatalogueRule {
    static let level = Level.note
    static let statement = """
        A notification that is received again adds no facts.
        """
    static let evidence = ["G7.1", "I11"]
    static let reads = EventTypes(.notificationReceived)
    static let readsKeys = true

    /// The lines of the first and the latest receipt of a notification; 0 if there is none.
    private struct Lines {
        var first: LineNumber = 0, latest: LineNumber = 0
    }

    private var notifications = DenseTable(Lines())

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&notifications) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if let source = event.source { judge(source, event, on: line, facts, &report) }
        guard event.type == .notificationReceived,
            case .notificationReceived(let received) = event.fact
        else { return }
        let index = received.notification.index
        if notifications[index].first == 0 {
            notifications[index].first = line.number
        } else {
            report.test()
        }
        notifications[index].latest = line.number
    }

    private func judge(
        _ source: NotificationHandle, _ event: LogEvent, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        let seen = notifications[source.index]
        guard seen.first < seen.latest else { return }
        let text = facts.names.text(of: source)
        report.find(
            event, on: line, facts, key: text,
            "notification \(text)\(facts.ownerSuffix(event.account)) was repeated, and this "
                + "event was recorded from it afterwards: expected no more events from it",
            notes: Finding.note(seen.first, "let notification \(text) be received")
                + Finding.note(seen.latest, "then notification \(text) was received again"),
            hint: "give what a notification states the notification's own id with #1, #2, …, so "
                + "that a repetition adds nothing")
    }
}
