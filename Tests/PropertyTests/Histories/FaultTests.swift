import PurchaseEvents
import PurchaseProjections
import Testing

/// Each planted fault is found by its rule, where the plan says, and by few others.
@Suite struct FaultTests {
    /// How many histories each fault is planted in, whatever the number of cases elsewhere.
    private static let histories = 200

    /// What 200 histories with a fault showed.
    private struct Row: Sendable {
        var fault: Fault
        /// In how many the plan says that it took effect.
        var effective = 0
        /// In how many each rule found errors or warnings.
        var found: [String: Int] = [:]
        /// What the rule of the fault did not find.
        var holes: [String] = []
    }

    @Test func `every fault is caught wherever it took effect`() async throws {
        let rows = try await withThrowingTaskGroup(of: Row.self) { group in
            for fault in Fault.allCases { group.addTask { try FaultTests.row(of: fault) } }
            return try await group.reduce(into: [Row]()) { $0.append($1) }
        }
        let sorted = rows.sorted { $0.fault.rawValue < $1.fault.rawValue }
        for row in sorted {
            #expect(row.holes.isEmpty, "\(row.fault.name): \(row.holes.prefix(3))")
            #expect(row.effective >= 5, "\(row.fault.name) takes effect too seldom")
        }
        try expectGolden(FaultTests.table(sorted), "faults.txt")
    }

    private static func row(of fault: Fault) throws -> Row {
        var row = Row(fault: fault)
        for number in 0..<histories {
            let seed = UInt64(fault.rawValue) &* 1_000_003 &+ UInt64(number)
            let history = try History(SeededChoices(seed: seed), faults: [fault])
            guard !history.planted.isEmpty else { continue }
            row.effective += 1
            let findings = try history.reports().findings(.error, .warning)
            for rule in Set(findings.map(\.rule)) { row.found[rule, default: 0] += 1 }
            for planted in history.planted {
                let isFound = findings.contains {
                    $0.rule == fault.rule && $0.seq == planted.seq
                }
                if !isFound { row.holes.append("seed \(seed), seq \(planted.seq)") }
            }
        }
        return row
    }

    private static func table(_ rows: [Row]) -> String {
        var text = "fault: took effect in so many of \(histories) histories; found in so many\n"
        for row in rows {
            text += "\n\(row.fault.name): \(row.effective)\n"
            let rules = row.found.sorted { left, right in
                (left.key == row.fault.rule ? "" : left.key)
                    < (right.key == row.fault.rule ? "" : right.key)
            }
            for (rule, count) in rules {
                text += "  \(rule == row.fault.rule ? "*" : " ") \(rule): \(count)\n"
            }
        }
        return text
    }

    /// Takes minutes: `PROPERTY_SHRINKS=1` runs it.
    @Test(.enabled(if: shrinksFaults, "set PROPERTY_SHRINKS"), arguments: Fault.allCases)
    func `the simplest history of a fault has at most 12 events`(_ fault: Fault) throws {
        // Short histories first: most faults need no long one.
        var counterexample: Counterexample?
        for most in [12, 24, 48, 160] where counterexample == nil {
            counterexample = FaultTests.property(fault, upTo: Int64(most)).run().counterexample
        }
        let found = try #require(counterexample)
        let property = FaultTests.property(fault, upTo: 160)
        #expect(found.lines.count <= 12, "\(found)")
        #expect(property.replay(found.choices)?.lines == found.lines)
    }

    /// That a fault is never found by its rule, which is false.
    private static func property(_ fault: Fault, upTo most: Int64) -> Property {
        let rules = RuleCatalogue.all.filter { $0.id == fault.rule }
        return Property(
            "\(fault.name) is never found", cases: most == 160 ? 2_000 : 200, shrinks: 1_200
        ) { trial in
            let history = try History(trial.choices, faults: [fault], upTo: most)
            guard !history.planted.isEmpty else { return nil }
            try trial.show(history.events)
            return try check(history.bytes, rules).findings(.error, .warning).first { finding in
                history.planted.contains { $0.seq == finding.seq }
            }?.message
        }
    }
}
