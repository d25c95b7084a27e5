import PurchaseEvents

/// Statements arrive in the order in which they were signed (G7.4, I11).
///
/// A statement signed earlier than another about the same line, or about the same transaction
/// outside any line, may arrive after it. A late arrival is not a fault and changes no projection;
/// the note counts late arrivals. What one notification states arrives at once: the store signs the
/// records inside it before the notification itself.
struct StatementsInOrder: CatalogueRule {
    static let level = Level.note
    static let statement = """
        No statement about a transaction or a line arrives after one about it that was signed \
        later. A statement that names no line is about the first one that its transaction is put \
        in. What one notification states arrives at once.
        """
    static let evidence = ["G7.4", "I11"]
    static let reads = EventTypes(
        .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed,
        .renewalFailed, .renewalGraceExpired, .renewalExpired, .renewalTurnedOff, .renewalTurnedOn,
        .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended, .cancellationRefunded,
        .cancellationRevoked, .cancellationReversed, .cancellationRequested, .cancellationDeclined)

    private struct Latest {
        var signedAt = Timestamp(milliseconds: .min)
        var line: LineNumber = 0
        /// The notification that stated it.
        var source: NotificationHandle?
    }

    /// The statement signed last for each line, by its original, and apart from these for each
    /// transaction that no statement had put in a line.
    private var latest = HandleMap(Latest())
    /// For each key whose last statement is a notification's, the one signed last of the others.
    private var others = HandleMap(Latest())
    private var crossings: [TransactionHandle: Int] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&latest).visit(&others).visit(&crossings)
    }

    /// The key of a transaction that no statement had put in a line.
    private static func alone(_ transaction: TransactionHandle) -> HandleKey {
        HandleKey(1, transaction.name.rawValue)
    }

    /// Counts the statements about a transaction that named no original for its line.
    private mutating func move(_ transaction: TransactionHandle, to original: TransactionHandle) {
        let (alone, line) = (StatementsInOrder.alone(transaction), HandleKey(original))
        guard let known = latest.remove(alone) else { return }
        // Of statements with equal dates, the one recorded last stays: that of the line.
        let all = [others.remove(alone), known, others.remove(line), latest.remove(line)]
        for statement in all.compactMap(\.self) { record(statement, under: line) }
    }

    private mutating func record(_ statement: Latest, under key: HandleKey) {
        let known = latest[orEmpty: key]
        let isLatest = statement.signedAt >= known.signedAt
        if let source = known.source {
            if source == statement.source {
                if isLatest { latest[key] = statement }
                return
            }
            if !isLatest, statement.signedAt >= others[orEmpty: key].signedAt {
                others[key] = statement
            }
        }
        guard isLatest else { return }
        others[key] = known.line != 0 && statement.source != nil ? known : nil
        latest[key] = statement
    }

    /// The statement signed last under a key, other than those of a notification.
    private func latest(under key: HandleKey, notOf source: NotificationHandle?) -> Latest {
        let known = latest[orEmpty: key]
        return source != nil && known.source == source ? others[orEmpty: key] : known
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard event.signedAt != nil || !latest.isEmpty,
            let key = event.fact.original ?? event.transaction.map(facts.original(of:))
        else { return }
        // A statement that isn't signed may name the line of one that is.
        if let transaction = event.transaction, transaction != key { move(transaction, to: key) }
        guard let signedAt = event.signedAt else { return }
        report.test()
        let alone = StatementsInOrder.alone(key)
        var before = latest(under: HandleKey(key), notOf: event.source)
        let other = latest(under: alone, notOf: event.source)
        if other.signedAt > before.signedAt { before = other }
        let isAlone = event.fact.original == nil && event.transaction == key
        record(
            Latest(signedAt: signedAt, line: line.number, source: event.source),
            under: isAlone ? alone : HandleKey(key))
        guard before.line != 0, signedAt < before.signedAt else { return }
        crossings[key, default: 0] += 1
        let count = crossings[key, default: 0]
        let text = facts.text(key)
        report.find(
            event, on: line, facts, account: facts.owner(of: key), key: text,
            "a statement about \(text)\(facts.ownerSuffix(facts.owner(of: key))) that was signed "
                + "at \(signedAt.text) arrived after one that was signed at "
                + "\(before.signedAt.text): \(count) so far, expected none",
            notes: Finding.note(
                before.line, "let a statement about \(text) be signed at \(before.signedAt.text)"),
            hint: "the later statement stands: make sure that nothing acts on the older one")
    }
}
