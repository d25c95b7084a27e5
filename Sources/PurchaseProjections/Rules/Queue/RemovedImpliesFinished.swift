import PurchaseEvents

/// An entry leaves the queue only after it was finished (G4.5, G4.8).
///
/// For the failures of one payment, removals may not outnumber finishes; a finish or removal of a
/// transaction also counts for its payment.
struct RemovedImpliesFinished: CatalogueRule {
    static let id = "removed-implies-finished"
    static let level = Level.warning
    static let statement = "An entry leaves the queue only after it was finished."
    static let evidence = ["G4.5", "I2"]
    static let reads = EventTypes(.queueFinished, .queueRemoved)

    /// Finishes minus removals for each payment; payments that balance have no entry.
    private var payments = HandleMap<Int64>(0)

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let transaction = event.transaction
        let payment = event.payment ?? transaction.flatMap { facts[$0].payment }
        if event.type == .queueFinished {
            if let payment { count(payment, 1) }
            return
        }
        report.test()
        if let payment { count(payment, -1) }
        if let transaction {
            guard !facts[transaction].isFinished else { return }
            let known = facts[transaction]
            let before = max(known.latestPurchasedLine, known.latestRestoredLine)
            let name = facts.text(transaction)
            find(
                event, on: line, facts, "transaction \(name)", facts.describe(transaction),
                key: name,
                account: facts.owner(of: transaction), heard: before,
                hint: "look at what became of it: it won't be presented again, so what its buyer "
                    + "paid for may never be delivered", &report)
        } else if let payment {
            guard payments[orEmpty: HandleKey(.payment(payment))] < 0 else { return }
            let name = facts.names.text(of: payment)
            find(
                event, on: line, facts, "payment \(name)", facts.describe(payment), key: name,
                account: facts[payment].account, heard: facts[payment].failedLine,
                hint: "look at what became of it: it won't be presented again, so a failure that "
                    + "the app has not dealt with is forgotten", &report)
        }
    }

    private mutating func count(_ payment: PaymentID<Interned>, _ step: Int64) {
        let key = HandleKey(.payment(payment))
        let sum = (payments[key] ?? 0) + step
        payments[key] = sum == 0 ? nil : sum
    }

    private func find(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ name: String,
        _ words: String, key: String,
        account: AccountID<Interned>?, heard: LineNumber, hint: String, _ report: inout Report
    ) {
        if let reason = facts.incompleteReason {
            return report.cannotTell("whether what left the queue was finished: \(reason)")
        }
        let notes =
            heard == 0
            ? [] : [Finding.Note(line: heard, message: "let \(words) be presented, unfinished")]
        report.find(
            event, on: line, facts, account: account, key: key,
            "\(name) left the queue unfinished: expected queue.finished before queue.removed",
            notes: notes,
            hint: hint)
    }
}
