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
        switch event.entry {
        case .transaction(let transaction):
            let known = facts[transaction]
            guard !known.isFinished else { return }
            let heard = max(known.latestPurchasedLine, known.latestRestoredLine)
            find(
                event, on: line, .transaction(transaction), heard: heard,
                "what its buyer paid for may never be delivered", facts, &report)
        case .payment(let payment):
            guard !wasFinished else { return }
            find(
                event, on: line, .payment(payment), heard: facts[payment].failedLine,
                "a failure that the app has not dealt with is forgotten", facts, &report)
        case nil: break
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
        _ event: LogEvent, on line: Line, _ entry: QueueEntry<Interned>, heard: LineNumber,
        _ loss: String, _ facts: Facts, _ report: inout Report
    ) {
        if let reason = facts.incompleteReason {
            return report.cannotTell("whether what left the queue was finished: \(reason)")
        }
        let subject = EntryText(entry, facts)
        report.find(
            event, on: line, facts, account: subject.account, key: subject.key,
            "\(subject.name) left the queue unfinished: expected queue.finished before "
                + "queue.removed",
            notes: Finding.note(heard, "let \(subject.description) be presented, unfinished"),
            hint: "look at what became of it: it won't be presented again, so \(loss)")
    }
}
