import Foundation
import PurchaseEvents
import PurchaseSimulation
import TestSupport

/// Logs for the tests of the incident commands.
enum GeneratedEvents {
    /// The events of a simulated log with an adverse mix.
    static func log(
        seed: UInt64, events: Int = 120, accounts: Int = 3,
        store: SimulationOptions.Store = .guide
    ) -> [Event<Written>] {
        var options = SimulationOptions(events: events, accounts: accounts, days: 90)
        options.salt = seed
        options.mix = .adverse
        options.store = store
        let simulation = Simulation(options, choices: SeededChoices(seed: seed))
        var log: [Event<Written>] = []
        while let event = simulation.next() { log.append(event) }
        return log
    }

    /// The sample logs, by name.
    static func samples(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
        try Folders.files(in: Folders.events.appending(path: folder), "jsonl")
            .map { ($0.lastPathComponent, try Folders.bytes(of: $0)) }
    }

    /// The bytes of lines of text.
    static func bytes(lines: String...) -> [UInt8] {
        lines.flatMap { Array($0.utf8) + [0x0A] }
    }
}
