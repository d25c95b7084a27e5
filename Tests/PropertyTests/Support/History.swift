import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing
import PurchaseSimulation

/// A generated log: its bytes and its planted faults.
struct GeneratedLog {
    let bytes: [UInt8]
    let planted: [PlantedFault]

    /// A log of a few accounts; the first choice decides its length.
    init(
        _ choices: any ChoiceSource, faults: Set<Fault> = [], upTo most: Int64 = 160,
        store: SimulationOptions.Store = .guide
    ) throws {
        var options = SimulationOptions(
            events: Int(choices.number(in: 1...most)),
            accounts: Int(choices.number(in: 1...3)), days: choices.pick([30, 365, 90]))
        options.mix = .adverse
        options.store = store
        options.faults = faults
        try self.init(options, choices)
    }

    /// The log of an ordinary app, as `replay generate` makes it.
    init(
        ordinary faults: Set<Fault>, seed: UInt64, events: Int = 1_000, accounts: Int = 10,
        days: Int = 365, store: SimulationOptions.Store = .guide
    ) throws {
        var options = SimulationOptions(events: events, accounts: accounts, days: days)
        options.store = store
        options.salt = seed
        options.faults = faults
        try self.init(options, SeededChoices(seed: seed))
    }

    private init(_ options: SimulationOptions, _ choices: any ChoiceSource) throws {
        let simulation = Simulation(options, choices: choices)
        var bytes: [UInt8] = []
        while try simulation.appendLine(to: &bytes) {}
        self.bytes = bytes
        planted = simulation.planted
    }

    /// The lines without their newlines.
    var lines: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: "\n")) }

    /// The number of lines.
    var count: Int { bytes.count { $0 == UInt8(ascii: "\n") } }

    /// The reports of all rules.
    func reports() throws -> [(rule: RuleInfo, report: Report)] { try check(bytes) }
}

extension Trial {
    /// Shows the log if the case fails.
    func show(_ log: GeneratedLog) {
        show(lines: log.lines.map { String(decoding: $0, as: UTF8.self) })
    }
}

/// A generated log with its decoded events. Decoding costs more than generating, so tests that only
/// need the log use ``GeneratedLog``.
struct History {
    let log: GeneratedLog
    let events: [Event<Written>]
    var planted: [PlantedFault] { log.planted }
    var bytes: [UInt8] { log.bytes }

    /// Generates a log as ``GeneratedLog`` does, and decodes it.
    init(
        _ choices: any ChoiceSource, faults: Set<Fault> = [], upTo most: Int64 = 160,
        store: SimulationOptions.Store = .guide
    ) throws {
        log = try GeneratedLog(choices, faults: faults, upTo: most, store: store)
        let decoder = LineDecoder()
        events = try log.lines.map { line in
            guard let event = decoder.event(on: line) else {
                throw NoEvent(line: String(decoding: line, as: UTF8.self))
            }
            return event
        }
    }
}

/// A line of the simulation that can't be decoded.
private struct NoEvent: Error { let line: String }

extension [(rule: RuleInfo, report: Report)] {
    /// The findings of some levels, in the order of the rules.
    func findings(_ levels: Level...) -> [Finding] {
        flatMap(\.report.findings).filter { levels.contains($0.level) }
    }
}

/// The number of cases for each property: 40, or 1,000 if all tests run, or the value of
/// `PROPERTY_CASES`.
let propertyCases =
    ProcessInfo.processInfo.environment["PROPERTY_CASES"].flatMap { Int($0) }
    ?? Effort.of(whole: 1_000, part: 40)

/// The seed of each run; `PROPERTY_SEED` tries other cases.
let propertySeed =
    ProcessInfo.processInfo.environment["PROPERTY_SEED"].flatMap { UInt64($0) } ?? 1

/// Runs a property, and fails with its counterexample.
@discardableResult
func expectHolds(
    _ name: String, cases: Int = propertyCases, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping (Trial) throws -> String?
) -> PropertyResult {
    expectHolds(
        Property(name, cases: cases, seed: propertySeed, body), sourceLocation: sourceLocation)
}

/// Runs a property, and fails with its counterexample.
@discardableResult
func expectHolds(
    _ property: Property, sourceLocation: SourceLocation = #_sourceLocation
) -> PropertyResult {
    let result = property.run()
    if ProcessInfo.processInfo.environment["PROPERTY_STATISTICS"] != nil {
        print("\(property.name), seed \(propertySeed)\n\(result.statistics)")
    }
    if let found = result.counterexample {
        Issue.record("\(found)", sourceLocation: sourceLocation)
    }
    return result
}
