import PurchaseEvents

/// A payment's requests only move forward, and a transaction is purchased or restored, never both
/// (G4.2, G4.3).
///
/// The rule keeps a small state machine of its own, ``OpenRequests``, for each payment. A finding
/// holds only if no other request exists, so the rule can't tell if the log may lack a request.
struct Lifecycle: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A payment's purchasing, deferred and failed each need an open request of it in a state "
        + "that allows it: requested and purchasing allow all three, deferred allows deferred and "
        + "failed, and failed allows failed, presented again. payment.requested opens a request, "
        + "a purchase closes one, and a failed request may still be purchased; a payment that was "
        + "never requested may begin anywhere. A transaction is purchased or restored, never both."
    static let evidence = ["G4.2", "G4.3"]
    static let reads = EventTypes(
        .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored)

    /// The requests of a payment, and the latest event that advanced one.
    private struct Payment {
        var requests = OpenRequests()
        var type = EventType.paymentRequested
        var line: LineNumber = 0

        mutating func request(_ line: LineNumber) {
            requests.request()
            self.line = line
            type = .paymentRequested
        }

        /// Applies a queue event; `false`, without a change, if no open request can take it.
        mutating func take(
            _ step: OpenRequests.Step, _ type: EventType, _ line: LineNumber
        ) -> Bool {
            guard requests.take(step) else { return false }
            (self.type, self.line) = (type, line)
            return true
        }
    }

    private var payments = DenseTable(Payment())

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&payments) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .paymentRequested {
            guard let payment = event.payment else { return }
            payments[payment.index].request(line.number)
            return
        }
        report.test()
        if event.type == .queuePurchased || event.type == .queueRestored {
            present(event, line, facts, &report)
        } else if let payment = event.payment {
            let step: OpenRequests.Step =
                event.type == .queuePurchasing
                ? .purchasing : event.type == .queueDeferred ? .deferred : .failed
            take(step, payment, event, line, facts, &report)
        }
    }

    /// Handles a transaction's first purchase or restore.
    private mutating func present(
        _ event: LogEvent, _ line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = event.transaction else { return }
        let purchased = facts[transaction].purchasedLine
        let restored = facts[transaction].restoredLine
        if event.type == .queueRestored {
            guard restored == line.number else { return }
            judge(transaction, other: purchased, event, line, facts, &report)
        } else if purchased == line.number {
            if let payment = event.payment {
                take(.purchased, payment, event, line, facts, &report)
            }
            judge(transaction, other: restored, event, line, facts, &report)
        }
    }

    private mutating func take(
        _ step: OpenRequests.Step, _ payment: PaymentHandle, _ event: LogEvent,
        _ line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if payments[payment.index].take(step, event.type, line.number) { return }
        if let reason = facts.incompleteReason {
            return report.cannotTell("whether a payment was requested once more: \(reason)")
        }
        let before = payments[payment.index]
        let name = facts.names.text(of: payment)
        let requested = facts[payment].requestedLine
        let told =
            requested == before.line
            ? "let \(facts.describe(payment)) be requested"
            : "then \(before.type.wireName) was the latest event of its requests"
        report.find(
            event, on: line, facts, account: facts[payment].account, key: name,
            "\(facts.describe(payment)) had \(event.type.wireName) after \(before.type.wireName): "
                + "expected an open request of it that is \(Lifecycle.takers(of: step))",
            notes: facts.requested(payment, besides: before.line)
                + Finding.note(before.line, told),
            hint: "look at how the recorder keys payments: two payments under one key look like "
                + "one that goes back")
    }

    private static func takers(of step: OpenRequests.Step) -> String {
        switch step {
        case .purchasing: "requested or purchasing"
        case .deferred: "requested, purchasing or deferred"
        case .failed, .purchased: "requested, purchasing, deferred or failed"
        }
    }

    /// Reports a transaction that is both purchased and restored.
    ///
    /// The level is a note in Xcode's test environment, which reuses identifiers.
    /// ``RestoredHasOriginal`` reports a transaction that restores itself.
    private func judge(
        _ transaction: TransactionHandle, other: LineNumber, _ event: LogEvent,
        _ line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard other != 0, !event.restoresItself else { return }
        if let reason = facts.environmentMayBeMissing(event) { return report.cannotTell(reason) }
        let isPurchase = event.type == .queuePurchased
        let (now, before) = isPurchase ? ("purchased", "restored") : ("restored", "purchased")
        let name = facts.text(transaction)
        report.find(
            event, on: line, facts, level: facts.levelOfReuse(event),
            account: facts.owner(of: transaction), key: name,
            "transaction \(name) was \(now), but it had been \(before): "
                + "expected one of the two, as a restore makes a transaction of its own",
            notes: Finding.note(other, "let \(facts.describe(transaction)) be \(before)"),
            hint: "look at which of the two the queue really said, and whether the recorder "
                + "took the original's identifier for the restored one's")
    }
}
