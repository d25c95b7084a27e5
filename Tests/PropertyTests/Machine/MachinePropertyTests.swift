import PurchaseEvents
import Testing
import PurchaseSimulation

struct MachinePropertyTests {
    /// The command that corresponds to an act of the simulated app.
    private func command(_ event: Event<Written>) -> Command? {
        switch event.fact {
        case .paymentRequested(let fact): .request(fact)
        case .deliveryPersisted(let fact): .persist(fact.transaction, in: fact.store)
        case .deliveryDownload(let fact): .download(fact)
        case .deliveryInstalled(let fact): .install(fact.transaction, in: fact.place)
        case .deliveryDelivered(let fact):
            .deliver(fact.transaction, quantity: fact.quantity, until: fact.until)
        case .deliveryWithdrawn(let fact): .withdraw(fact.transaction, because: fact.reason)
        case .queueFinished(let entry): .finish(entry)
        case .restoreRequested(let by): .restore(by: by)
        case .restoreSelected(let product): .select(product)
        case .contentOpened(let content): .open(content)
        case .deliveryConsumed(let fact): .consume(fact.product, quantity: fact.quantity)
        default: nil
        }
    }

    @Test func `no act of a well-behaved app is refused`() {
        expectHolds("no act of a well-behaved app is refused") { trial in
            let history = try History(trial.choices)
            trial.show(history.log)
            // Without a stated kind of product, the machine refuses to withdraw a purchase.
            guard history.events.contains(where: { $0.type == .catalogListed }) else { return nil }
            var state = PurchaseState<Written>()
            for event in history.events {
                if let command = command(event) {
                    let session = Session(
                        account: event.account, device: event.device,
                        environment: event.environment)
                    if let refusal = state.refusals(of: command, by: session, now: event.at).first {
                        return "seq \(event.seq): \(refusal)"
                    }
                    trial.count("\(event.type.wireName) allowed")
                }
                if state.forbids(event) { return "seq \(event.seq) is forbidden" }
                state.evolve(event)
            }
            return nil
        }
    }

    /// Any event in any state gives a state; the test is that `evolve` returns.
    @Test func `evolve accepts every event in every state`() {
        expectHolds("evolve accepts every event in every state") { trial in
            let history = try History(trial.choices, faults: Set(Fault.allCases))
            var events = history.events
            for index in events.indices.reversed() {
                events.swapAt(index, Int(trial.choices.choose(below: Int64(index + 1))))
            }
            var state = PurchaseState<Written>()
            for event in events { state.evolve(event) }
            return nil
        }
    }
}
