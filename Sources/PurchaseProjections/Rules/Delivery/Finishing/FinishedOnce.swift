import PurchaseEvents

/// A transaction is finished at most once per presentation, and a failed payment once per failure
/// (G4.8).
///
/// Each device that was shown an entry may finish it. The first finish by a device that was not
/// shown the entry closes it on all devices.
struct FinishedOnce: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A transaction is finished at most once for each presentation on a device, and each "
        + "failure of a payment at most once."
    static let evidence = ["G4.8"]
    static let reads = EventTypes(.queueFinished)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        report.test()
        if let transaction = facts.finishedTransaction(of: event) {
            judge(transaction, event, on: line, facts, &report)
        } else if let payment = event.payment, case .finished = facts[payment].entry.finished {
            judge(payment, event, on: line, facts, &report)
        }
    }

    private func judge(
        _ transaction: TransactionHandle, _ event: LogEvent, on line: Line,
        _ facts: Facts, _ report: inout Report
    ) {
        let earlier = facts[transaction].previousFinishedLine
        guard !facts.presentations.wasShown, earlier != 0 else { return }
        let name = facts.name(transaction)
        let reason =
            facts.startsInTheMiddle
            ? facts.incompleteReason : facts.incompleteReason(after: earlier)
        if let reason {
            return report.cannotTell(
                "no presentation of \(name) is seen between two finishes; \(reason)")
        }
        report.find(
            event, on: line, facts, account: facts.account(event, transaction),
            key: facts.text(transaction),
            "\(name) was finished again: expected one finish for each presentation",
            notes: facts.stated(transaction)
                + Finding.note(earlier, "then it was finished, and not presented since"),
            hint: FinishedOnce.hint)
    }

    private func judge(
        _ payment: PaymentHandle, _ event: LogEvent, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        let known = facts[payment]
        let text = facts.names.text(of: payment)
        if let reason = facts.incompleteReason {
            return report.cannotTell(
                "no second failure of payment \(text) is seen before its second finish; \(reason)")
        }
        report.find(
            event, on: line, facts, account: event.account ?? known.account, key: text,
            "payment \(text) was finished again: expected one finish for each failure",
            notes: facts.requested(payment, besides: line.number)
                + Finding.note(
                    known.failedLine, "let \(facts.describe(payment)) have failed")
                + Finding.note(known.previousFinishedLine, "then it was finished"),
            hint: FinishedOnce.hint)
    }

    private static let hint =
        "the second finish ends nothing, or something that another part of the app still works "
        + "on: look at whether two observers act on one entry"
}
