import PurchaseEvents
import Testing

/// The state machines as matrices in golden files, so that a changed cell is a one-word diff.
struct TransitionMatrixTests {
    @Test func `the transitions of a transaction equal the golden file`() throws {
        try expectGolden(
            matrix(TransactionPhase.allCases, TransactionStep.allCases) { $0.after($1) },
            "machine/transaction.txt")
    }

    @Test func `the transitions of a payment request equal the golden file`() throws {
        try expectGolden(
            matrix(PaymentPhase.allCases, PaymentStep.allCases) { $0.after($1) },
            "machine/payment.txt")
    }

    @Test func `the transitions of a subscription equal the golden file`() throws {
        try expectGolden(
            matrix(SubscriptionPhase.allCases, SubscriptionStep.allCases) { $0.after($1) },
            "machine/subscription.txt")
    }

    @Test func `the event types that each machine reads equal the golden file`() throws {
        let rows = SampleFacts.all.map { fact in
            let steps = [
                TransactionStep(fact.type)?.rawValue, PaymentStep(fact.type)?.rawValue,
                SubscriptionStep(fact)?.rawValue,
            ]
            return [fact.type.wireName] + steps.map { $0 ?? "." }
        }
        try expectGolden(
            table([["", "transaction", "payment", "subscription"]] + rows), "machine/steps.txt")
    }

    @Test func `only events that the rule lifecycle reports are forbidden`() {
        for phase in TransactionPhase.allCases {
            for step in TransactionStep.allCases where phase.after(step) == nil {
                #expect(step == .purchased || step == .restored, "\(phase) \(step)")
            }
        }
        for phase in PaymentPhase.allCases {
            for step in PaymentStep.allCases where phase.after(step) == nil {
                #expect(step == .purchasing || step == .deferred || step == .failed)
            }
        }
    }

    /// Rows are phases, columns are steps; `.` means no change, `-` means forbidden.
    private func matrix<Phase: Equatable & RawRepresentable, Step: RawRepresentable>(
        _ phases: [Phase], _ steps: [Step], _ after: (Phase, Step) -> Phase?
    ) -> String where Phase.RawValue == String, Step.RawValue == String {
        let rows = phases.map { phase in
            [phase.rawValue]
                + steps.map { step in
                    guard let next = after(phase, step) else { return "-" }
                    return next == phase ? "." : next.rawValue
                }
        }
        return table([[""] + steps.map(\.rawValue)] + rows)
    }

    private func table(_ rows: [[String]]) -> String {
        let columns = rows.first?.indices ?? 0..<0
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return line.reversed().drop { $0 == " " }.reversed().map(String.init).joined() + "\n"
        }.joined()
    }
}
