import PurchaseEvents

/// Only failed, purchased or restored entries are finished (G4.2).
struct FinishOnlyAtTheEnd: CatalogueRule {
    static let level = Level.error
    static let statement =
        "Only a failed, purchased or restored entry is finished, never one that was requested, is "
        + "purchasing or is deferred."
    static let evidence = ["G4.2"]
    static let reads = EventTypes(.queueFinished)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if let transaction = event.transaction {
            if facts[transaction].isPurchased || facts[transaction].isRestored { report.test() }
            return
        }
        guard let payment = event.payment, let finished = facts[payment].entry.finished else {
            return
        }
        switch finished {
        case .ended, .finished: report.test()
        case .unknown: break
        case .waiting(let type, let since):
            report.test()
            judge(payment, type, since, event, on: line, facts, &report)
        }
    }

    private func judge(
        _ payment: PaymentHandle, _ type: EventType, _ since: LineNumber,
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let text = facts.names.text(of: payment)
        if let reason = facts.incompleteReason {
            return report.cannotTell("the log doesn't show payment \(text) fail; \(reason)")
        }
        report.find(
            event, on: line, facts, account: event.account ?? facts[payment].account, key: text,
            "payment \(text) was finished while its latest event was \(type.wireName): "
                + "expected it to fail, or to be purchased, before it is finished",
            notes: facts.requested(payment, besides: since)
                + Finding.note(
                    since,
                    "let \(type.wireName) be the latest event of \(facts.describe(payment))"),
            hint: "the store raises an error, and a charge that may still come is forgotten: look "
                + "at how the app tells the states of an entry apart")
    }
}
