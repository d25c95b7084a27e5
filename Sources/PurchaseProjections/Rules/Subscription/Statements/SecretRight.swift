import PurchaseEvents

/// No fact is taken from a notification that may be forged (G7.2).
///
/// No fact's `source` may be a notification whose latest receipt before the fact had a wrong secret
/// or an invalid signature. A fact before its notification is judged by the first receipt.
struct SecretRight: CatalogueRule {
    static let level = Level.error
    static let statement = """
        No fact's source is a notification whose secret is wrong or whose signature is invalid.
        """
    static let evidence = ["G7.2"]
    static let reads = EventTypes(.notificationReceived)
    static let readsKeys = true

    private struct Reception {
        /// The line of the latest receipt; 0 if the notification was never received.
        var line: LineNumber = 0
        /// Whether the latest receipt had a wrong secret or an invalid signature.
        var isDistrusted = false
    }

    private var receptions = DenseTable(Reception())
    /// Facts that came before their notification.
    private var early: [NotificationHandle: [Early]] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&receptions).visit(&early) }

    private struct Early {
        var line: LineNumber
        var account: AccountHandle?
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .notificationReceived,
            case .notificationReceived(let received) = event.fact
        {
            report.test()
            receive(received, line.number, facts, &report)
        }
        guard let source = event.source else { return }
        let reception = receptions[source.index]
        if reception.line == 0 {
            early[source, default: []].append(Early(line: line.number, account: event.account))
        } else if reception.isDistrusted {
            find(line.number, event.account, source, reception.line, facts, &report)
        }
    }

    private mutating func receive(
        _ received: NotificationReceived<Interned>, _ line: LineNumber, _ facts: Facts,
        _ report: inout Report
    ) {
        let notification = received.notification
        let isDistrusted = received.secret == .wrong || received.signature == .invalid
        receptions[notification.index] = Reception(line: line, isDistrusted: isDistrusted)
        guard !early.isEmpty, let early = early.removeValue(forKey: notification), isDistrusted
        else { return }
        if let reason = facts.incompleteReason {
            return report.cannotTell(
                "the notification that states a fact may be missing: \(reason)")
        }
        for fact in early { find(fact.line, fact.account, notification, line, facts, &report) }
    }

    private func find(
        _ line: LineNumber, _ account: AccountHandle?,
        _ notification: NotificationHandle, _ received: LineNumber, _ facts: Facts,
        _ report: inout Report
    ) {
        let text = facts.names.text(of: notification)
        report.find(
            at: line, facts, account: account, key: text,
            "this event\(facts.ownerSuffix(account)) was taken from notification "
                + "\(text), whose secret is wrong or whose signature is invalid: expected no "
                + "event from it",
            notes: Finding.note(
                received,
                "let notification \(text) be received with a wrong secret or an "
                    + "invalid signature"),
            hint: "anybody could have sent it: check the secret or the signature before you "
                + "record anything")
    }
}
