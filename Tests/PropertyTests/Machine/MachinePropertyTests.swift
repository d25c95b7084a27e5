import PurchaseEvents
import Testing

@Suite struct MachinePropertyTests {
    /// Any event in any state gives a state; that it returns at all is the test.
    @Test func `evolve takes every event in every state`() {
        expectHolds("evolve takes every event in every state") { trial in
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
