import PurchaseEvents
import Testing
import PurchaseSimulation

struct SimulationOptionsTests {
    private func events(of options: SimulationOptions) -> [Event<Written>] {
        let simulation = Simulation(options, choices: SeededChoices(seed: 1))
        return (0..<10).compactMap { _ in simulation.next() }
    }

    @Test(arguments: [0, -5, Int.min])
    func `values that are too small become the minimum`(_ number: Int) {
        var options = SimulationOptions(events: 9, accounts: 9, days: 9)
        options.events = number
        options.accounts = number
        options.days = number
        #expect(options == SimulationOptions(events: number, accounts: number, days: number))
        #expect(options == SimulationOptions(events: 1, accounts: 1, days: 1))
        #expect(events(of: options).count == 1)
    }

    @Test func `very large values still make a log`() {
        var options = SimulationOptions(events: .max, accounts: .max, days: .max)
        #expect(events(of: options).count == 10)
        options.accounts = 1
        #expect(events(of: options).count == 10)
        #expect(options.latestEnd == Timestamp(milliseconds: .max))
    }

    @Test func `a log starts at a time that it can hold`() {
        var options = SimulationOptions(events: 10, accounts: 1, days: 1)
        options.start = Timestamp(milliseconds: .min)
        #expect(options.start == .earliest)
        #expect(events(of: options).count == 10)
        options.start = Timestamp(milliseconds: .max)
        #expect(options.start == .latest)
        #expect(events(of: options).map(\.at) == [.latest])
    }

    @Test(arguments: [
        SimulationOptions(events: 1_000, accounts: 10, days: 1),
        SimulationOptions(events: 300, accounts: 1, days: 30),
        SimulationOptions(events: 400, accounts: 4, days: 365),
        SimulationOptions(events: 2_000, accounts: 1, days: 1),
    ])
    func `a log ends before its latest end`(_ options: SimulationOptions) throws {
        var options = options
        let spare = options.latestEnd.distance(to: .latest)
        options.start = options.start.advanced(byMilliseconds: spare)
        #expect(options.latestEnd == .latest)
        for faults in [[], Set(Fault.allCases)] {
            options.faults = faults
            let simulation = Simulation(options, choices: SeededChoices(seed: 1))
            var bytes: [UInt8] = []
            while try simulation.appendLine(to: &bytes) {}
            #expect(bytes.count { $0 == UInt8(ascii: "\n") } == options.events)
        }
    }
}
