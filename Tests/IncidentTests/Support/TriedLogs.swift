import Foundation
import PurchaseEvents
import PurchaseIncidents
import PurchaseSimulation
import TestSupport

/// A log to check a property on, and a description to reproduce it.
struct TriedLog {
    let name: String
    let lines: LogLines

    /// The sample logs, from the folders whose logs hold events.
    static func samples() throws -> [TriedLog] {
        try ["valid", "violations"].flatMap { folder in
            try GeneratedEvents.samples(folder).map {
                TriedLog(name: "\(folder)/\($0.name)", lines: LogLines($0.bytes))
            }
        }
    }

    /// A log generated from a seed: half of these logs have faults, and a third lack accounts on
    /// some lines.
    static func generated(_ seed: UInt64, events: Int = 40) throws -> TriedLog {
        var dice = Dice(seed: seed)
        var options = SimulationOptions(
            events: events, accounts: 1 + dice.below(3), days: 30 + dice.below(400))
        options.salt = seed
        if dice.below(2) == 0 {
            options.faults = Set((0...dice.below(4)).map { _ in dice.pick(Fault.allCases) })
        }
        let run = Simulation(options, choices: SeededChoices(seed: seed))
        var bytes: [UInt8] = []
        while try run.appendLine(to: &bytes) {}
        var lines = LogLines(bytes)
        let isNameless = dice.below(3) == 0
        if isNameless {
            var nameless = LogLines()
            for index in lines.indices {
                let text = String(decoding: lines[index], as: UTF8.self)
                nameless.append(
                    (dice.below(2) == 0 ? text : TriedLog.withoutAccount(text)).utf8)
            }
            lines = nameless
        }
        return TriedLog(name: "seed \(seed)", lines: lines)
    }

    private static func withoutAccount(_ line: String) -> String {
        guard let start = line.range(of: #","account":""#),
            let end = line.range(of: "\"", range: start.upperBound..<line.endIndex)
        else { return line }
        return String(line[..<start.lowerBound] + line[end.upperBound...])
    }
}
