import PurchaseEvents

/// An entry leaves the queue only after it was finished (G4.5, G4.8).
///
/// For the failures of one payment, each removal needs a finish of its own before it; a finish or
/// removal of a transaction also counts for its payment. A removal that is found needs no finish
/// later.
struct RemovedImpliesFinished: CatalogueRule {
    static let level = Level.warning
    static let statement = "An entry leaves the queue only after it was finished."
    static let evidence = ["G4.5", "I2"]
    static let reads = EventTypes(.queueFinished, .queueRemoved)

    /// The finishes of each payment that no removal has followed yet.
    private var payments = HandleMap<Int64>(0)

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&payments) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        let transaction = event.transaction
        let payment = event.payment ?? transaction.flatMap { facts[$0].payment }
        if event.type == .queueFinished {
            if let payment { payments[orEmpty: HandleKey(.payment(payment))] += 1 }
            return
        }
        report.test()
        let wasFinished = payment.map { takeFinish(of: $0) } ?? false
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
            guard !wasFinished else { return }
            let name = facts.names.text(of: payment)
            find(
                event, on: line, facts, "payment \(name)", facts.describe(payment), key: name,
                account: facts[payment].account, heard: facts[payment].failedLine,
                hint: "look at what became of it: it won't be presented again, so a failure that "
                    + "the app has not dealt with is forgotten", &report)
        }
    }

    /// Takes a payment's finish for a removal; `false` if none is left.
    private mutating func takeFinish(of payment: PaymentHandle) -> Bool {
        let key = HandleKey(.payment(payment))
        guard let count = payments[key] else { return false }
        payments[key] = count == 1 ? nil : count - 1
        return true
    }

    private func find(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ name: String,
        _ words: String, key: String,
        account: AccountHandle?, heard: LineNumber, hint: String, _ report: inout Report
    ) {
        if let reason = facts.incompleteReason {
            return report.cannotTell("whether what left the queue was finished: \(reason)")
        }
        report.find(
            event, on: line, facts, account: account, key: key,
            "\(name) left the queue unfinished: expected queue.finished before queue.removed",
            notes: Finding.note(heard, "let \(words) be presented, unfinished"), hint: hint)
    }
}
