import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing
import PurchaseSimulation

/// The simplest history of each fault: the shrunk counterexample to the statement that the fault's
/// rule never finds it.
struct SimplestFaultTests {
    /// The most events of a simplest history, including `log.opened` and the launch.
    private static let most = 12

    @Test func `the simplest history of a fault is reproduced, found and short`() throws {
        let simplest = try SimplestFaultTests.recorded()
        #expect(simplest.map(\.fault) == Fault.allCases.map(\.name))
        for (name, choices, lines) in simplest {
            let fault = try #require(Fault(name: name))
            let found = SimplestFaultTests.property(fault, upTo: 80, cases: 1).replay(choices)
            #expect(found?.lines == lines, "\(name) is made otherwise, or not found")
            #expect(lines.count <= SimplestFaultTests.most, "\(name) has \(lines.count) events")
        }
    }

    /// Takes a minute in release and many in debug. `PROPERTY_SHRINKS=1` runs it; with
    /// `UPDATE_GOLDEN=1` it records the histories that the test above uses.
    @Test(.enabled(if: shrinksFaults, "set PROPERTY_SHRINKS"))
    func `the first counterexample of each fault shrinks to the recorded one`() async throws {
        let texts = await withTaskGroup(of: (UInt8, String).self) { group in
            for fault in Fault.allCases {
                group.addTask { (fault.rawValue, SimplestFaultTests.text(of: fault)) }
            }
            return await group.reduce(into: [(UInt8, String)]()) { $0.append($1) }
        }
        let sorted = texts.sorted { $0.0 < $1.0 }.map(\.1)
        try expectGolden(sorted.joined(separator: "\n"), "simplest.txt")
    }

    private static func text(of fault: Fault) -> String {
        var found: Counterexample?
        // Try short histories first: few faults need a longer one.
        for (most, cases) in [(12, 20_000), (24, 500), (80, 500)] where found == nil {
            found = property(fault, upTo: Int64(most), cases: cases).run().counterexample
        }
        guard let found else { return "\(fault.name): never found\n" }
        let choices = found.choices.map(String.init).joined(separator: " ")
        return "\(fault.name): \(choices)\n" + found.lines.map { "\($0)\n" }.joined()
    }

    /// The false property that the fault's rule never finds it.
    private static func property(_ fault: Fault, upTo most: Int64, cases: Int) -> Property {
        let rules = RuleCatalogue.all.filter { $0.id == fault.rule }
        return Property("\(fault.name) is never found", cases: cases, shrinks: 20_000) { trial in
            let log = try GeneratedLog(trial.choices, faults: [fault], upTo: most)
            guard !log.planted.isEmpty else { return nil }
            trial.show(log)
            return try check(log.bytes, rules).findings(.error, .warning).first { finding in
                log.planted.contains { $0.seq == finding.seq }
            }?.message
        }
    }

    /// The faults, choices and lines in the golden file.
    private static func recorded() throws -> [(fault: String, choices: [Int64], lines: [String])] {
        let text = try golden("simplest.txt")
        return text.split(separator: "\n\n").map { section in
            let lines = section.split(separator: "\n").map(String.init)
            let head = lines[0].split(separator: ":")
            let choices = head.dropFirst().joined().split(separator: " ").compactMap { Int64($0) }
            return (String(head[0]), choices, Array(lines.dropFirst()))
        }
    }
}

/// Whether to shrink faults, which takes long.
let shrinksFaults = ProcessInfo.processInfo.environment["PROPERTY_SHRINKS"] != nil
