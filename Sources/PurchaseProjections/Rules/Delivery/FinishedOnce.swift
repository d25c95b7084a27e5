import PurchaseEvents

/// A transaction is finished at most once per presentation, a failure of a payment once (G4.8).
///
/// Presentations are per device: each device that was shown an entry may finish it. The first
/// finish of an entry that its device was not shown is taken to end it everywhere.
struct FinishedOnce: Rule {
    static let id = "finished-once"
    static let level = Level.error
    static let statement =
        "A transaction is finished at most once for each presentation on a device, and each "
        + "failure of a payment at most once."
    static let evidence = ["G4.8"]
    static let reads = PaymentEntries.types.union(EventTypes(.queueRestored))

    private var payments = PaymentEntries()
    /// The devices that were shown a transaction and have not finished it; gone when all have.
    private var presented = HandleMap(Devices())

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let finished = payments.observe(event, on: line)
        if event.type == .queueFinished, case .queueFinished(let entry) = event.fact {
            report.test()
            if let transaction = entry.transaction {
                judge(transaction, event, on: line, facts, &report)
            } else if let payment = entry.payment, case .finished = finished {
                judge(payment, event, on: line, facts, &report)
            }
        } else if event.type == .queuePurchased || event.type == .queueRestored,
            let transaction = event.transaction
        {
            presented[orEmpty: HandleKey(transaction)].insert(Facts.index(of: event.device))
        }
    }

    private mutating func judge(
        _ transaction: TransactionID<Interned>, _ event: Event<Interned>, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        let earlier = facts[transaction].finishedEarlierLine
        if var devices = presented[HandleKey(transaction)] {
            let wasPresented = devices.remove(Facts.index(of: event.device))
            if wasPresented || earlier == 0 {
                presented[HandleKey(transaction)] =
                    wasPresented && !devices.isEmpty ? devices : nil
                return
            }
        }
        guard earlier != 0 else { return }
        let name = DeliveryWords.name(transaction, facts)
        let missed =
            facts.startsInTheMiddle ? facts.mayHaveMissed : facts.mayHaveMissed(after: earlier)
        if let missed {
            return report.cannotTell(
                "no presentation of \(name) is seen between two finishes; \(missed)")
        }
        report.find(
            event, on: line, facts,
            account: DeliveryWords.account(event, transaction, facts),
            key: facts.text(transaction),
            "\(name) was finished again: expected one finish for each presentation",
            notes: DeliveryWords.stated(transaction, facts)
                + DeliveryWords.note(earlier, "then it was finished, and not presented since"),
            hint: FinishedOnce.hint)
    }

    private func judge(
        _ payment: PaymentID<Interned>, _ event: Event<Interned>, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        let known = facts[payment]
        let text = facts.names.text(of: payment)
        if let missed = facts.mayHaveMissed {
            return report.cannotTell(
                "no second failure of payment \(text) is seen before its second finish; \(missed)")
        }
        report.find(
            event, on: line, facts, account: event.account ?? known.account, key: text,
            "payment \(text) was finished again: expected one finish for each failure",
            notes: DeliveryWords.note(known.failedLine, "payment \(text) failed")
                + DeliveryWords.note(known.finishedEarlierLine, "then it was finished"),
            hint: FinishedOnce.hint)
    }

    private static let hint =
        "the second finish ends nothing, or something that another part of the app still works "
        + "on: look at whether two observers act on one entry"
}

/// A few devices; most entries are presented on one, which allocates nothing.
private struct Devices: Sendable {
    private var first: Int?
    private var others: [Int] = []

    var isEmpty: Bool { first == nil && others.isEmpty }

    mutating func insert(_ device: Int) {
        if first == device || others.contains(device) { return }
        if first == nil { first = device } else { others.append(device) }
    }

    /// Whether it was there.
    mutating func remove(_ device: Int) -> Bool {
        if first == device {
            first = nil
            return true
        }
        guard let place = others.firstIndex(of: device) else { return false }
        others.remove(at: place)
        return true
    }
}
