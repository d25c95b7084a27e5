import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections
import PurchaseSimulation

/// The machine and the projections answer the same questions with separate folds.
struct EntitlementPropertyTests {
    @Test func `both folds agree on entitlements for any statements`() {
        expectHolds("both folds agree on entitlements for any statements") { trial in
            let events = RandomStatements(trial.choices).events
            try show(events, trial)
            return try difference(of: events, trial)
        }
    }

    @Test func `both folds agree on entitlements for simulated histories`() {
        expectHolds(
            "both folds agree on entitlements for simulated histories", cases: propertyCases / 5
        ) { trial in
            let history = try History(trial.choices)
            trial.show(history.log)
            // Without a catalogue, some kinds are unknown, and each fold guesses in its own way.
            guard history.events.contains(where: { $0.type == .catalogListed }) else { return nil }
            return try difference(of: history.events, trial)
        }
    }

    private func show(_ events: [Event<Written>], _ trial: Trial) throws {
        let lines = try events.log().split(separator: UInt8(ascii: "\n"))
        trial.show(lines: lines.map { String(decoding: $0, as: UTF8.self) })
    }

    /// How the two folds differ at the end of a log and later, or `nil`.
    private func difference(of events: [Event<Written>], _ trial: Trial) throws -> String? {
        var state = PurchaseState<Written>()
        for event in events { state.evolve(event) }
        let show = try Folding.show(events.log())
        for hours in [0, 1, 10, 24, trial.choices.number(in: 1...100), 1_000] {
            let instant = show.asOf.advanced(byMilliseconds: hours * Timestamp.hour)
            for row in show.rows(of: Entitlements.self, asOf: instant) {
                if let difference = difference(state, row, at: instant, trial) {
                    return "\(hours) h after the end \(difference): \(RowJSON.text(of: row.fields))"
                }
            }
        }
        return difference(state, show.facts)
    }

    private func difference(
        _ state: PurchaseState<Written>, _ row: EntitlementRow, at instant: Timestamp,
        _ trial: Trial
    ) -> String? {
        // A consumable's row may cover several purchases, and the app itself sets the end of a
        // pass.
        guard let kind = row.kind, kind == .autoRenewable || kind == .nonConsumable,
            let original = row.original, let transaction = row.transaction
        else { return nil }
        let granting = state.transactions.filter { id, known in
            // Nobody knows how long a period without a stated end grants access.
            let isClear =
                kind == .nonConsumable || known.expiresAt != nil || !known.opensPeriod
            return isClear && (known.original ?? id).name == original
                && known.product?.name == row.product
                && state.grants(id, known, at: instant, in: state.environment)
        }
        trial.count("\(kind.rawValue) \(row.isActive ? "active" : "over") as \(row.because)")
        if granting.isEmpty == row.isActive {
            return "the machine has \(granting.keys.map(\.name).sorted()) grant"
        }
        let id = TransactionID<Written>(kind == .autoRenewable ? original : transaction)
        let owner = state.owner(of: id, state.transaction(id) ?? TransactionState())
        return owner?.name == row.account
            ? nil : "the machine has it belong to \(owner?.name ?? "nobody")"
    }

    /// Compares which transactions are finished.
    private func difference(_ state: PurchaseState<Written>, _ facts: Facts) -> String? {
        for id in facts.knownTransactions {
            let name = facts.names.text(of: id)
            let phase = state.phase(of: TransactionID<Written>(name))
            if phase.wasFinished != facts[id].isFinished { return "\(name) is \(phase)" }
        }
        return nil
    }
}
