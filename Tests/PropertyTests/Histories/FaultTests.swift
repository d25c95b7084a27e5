import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing
import PurchaseSimulation

/// Each planted fault is found by its rule at the planned place, and by no other rule.
struct FaultTests {
    /// How many histories each fault is planted in, whatever the number of cases elsewhere.
    private static let histories = Effort.of(whole: 200, part: 5)

    /// The results of the histories with one fault.
    private struct Row: Sendable {
        var fault: Fault
        /// The number of histories in which the fault took effect.
        var effective = 0
        /// The number of histories in which each rule found something, by rule and level.
        var found: [String: Int] = [:]
        var otherRules: Set<String> = []
        /// Planted faults that their rule missed, and findings where nothing was planted.
        var holes: [String] = []
    }

    @Test func `every fault is caught wherever it took effect`() async throws {
        let rows = try await withThrowingTaskGroup(of: Row.self) { group in
            for fault in Fault.allCases { group.addTask { try FaultTests.row(of: fault, .guide) } }
            return try await group.reduce(into: [Row]()) { $0.append($1) }
        }
        let sorted = rows.sorted { $0.fault.rawValue < $1.fault.rawValue }
        for row in sorted {
            #expect(row.holes.isEmpty, "\(row.fault.name): \(row.holes.prefix(3))")
            #expect(
                row.effective >= FaultTests.histories / 40,
                "\(row.fault.name) takes effect too seldom")
            #expect(row.otherRules == [], "\(row.fault.name) is found otherwise")
        }
        if Effort.isWhole { try expectGolden(FaultTests.table(sorted), "faults.txt") }
    }

    @Test func `every fault is caught in today's store too`() async throws {
        let rows = try await withThrowingTaskGroup(of: Row.self) { group in
            for fault in Fault.allCases { group.addTask { try FaultTests.row(of: fault, .today) } }
            return try await group.reduce(into: [Row]()) { $0.append($1) }
        }
        for row in rows {
            #expect(row.holes.isEmpty, "\(row.fault.name): \(row.holes.prefix(3))")
            #expect(row.otherRules == [], "\(row.fault.name) is found otherwise")
            if Effort.isWhole { #expect(row.effective > 0, "\(row.fault.name)") }
        }
    }

    private static func row(of fault: Fault, _ store: SimulationOptions.Store) throws -> Row {
        var row = Row(fault: fault)
        for number in 0..<histories {
            let seed = UInt64(fault.rawValue) &* 1_000_003 &+ UInt64(number)
            let log = try GeneratedLog(
                SeededChoices(seed: seed), faults: [fault], upTo: 64, store: store)
            let findings = try log.reports().findings(.error, .warning)
            if log.planted.isEmpty {
                row.holes += findings.map { "seed \(seed), line \($0.line): \($0.rule)" }
                continue
            }
            row.effective += 1
            for name in Set(findings.map { "\($0.rule), \($0.level)" }) {
                row.found[name, default: 0] += 1
            }
            row.otherRules.formUnion(findings.map(\.rule).filter { $0 != fault.rule })
            row.holes += FaultTests.holes(log.planted, findings).map { "seed \(seed), \($0)" }
        }
        return row
    }

    /// Planted faults that aren't found, and findings of the same rules that weren't planted.
    private static func holes(_ planted: [PlantedFault], _ findings: [Finding]) -> [String] {
        let missed = planted.filter { planted in
            !findings.contains { planted.isFound(as: $0) }
        }
        let rules = Set(planted.map(\.fault.rule))
        let unplanned = findings.filter { finding in
            rules.contains(finding.rule) && !planted.contains { $0.isFound(as: finding) }
        }
        return missed.map { "seq \($0.seq): \($0.fault.name) isn't found" }
            + unplanned.map { "line \($0.line): \($0.rule) isn't planned" }
    }

    // MARK: An ordinary app

    @Test(arguments: Fault.allCases, SimulationOptions.Store.allCases)
    func `each fault alone takes effect in an ordinary app and is found`(
        _ fault: Fault, _ store: SimulationOptions.Store
    ) throws {
        let rules = RuleCatalogue.all.filter { $0.id == fault.rule }
        for seed in 1...Effort.of(whole: 2, part: 1) as ClosedRange<UInt64> {
            let log = try GeneratedLog(ordinary: [fault], seed: seed, store: store)
            #expect(!log.planted.isEmpty, "seed \(seed)")
            let findings = try check(log.bytes, rules).findings(.error, .warning)
            #expect(FaultTests.holes(log.planted, findings).isEmpty, "seed \(seed)")
        }
    }

    @Test func `consequences of a fault are planned too, and nothing else`() throws {
        let consumes: Set<Fault> = [.deliversTwice, .deliversTooMuch, .consumesTooMuch]
        let logs = [
            try GeneratedLog(
                ordinary: [.observesLate], seed: 9, events: 2_000, accounts: 60, days: 60),
            try GeneratedLog(ordinary: [.requestsTooMany], seed: 7, events: 2_000, accounts: 60),
            try GeneratedLog(ordinary: [.requestsUnlisted], seed: 10, events: 2_000, accounts: 20),
            try GeneratedLog(ordinary: consumes, seed: 1, accounts: 3),
            try GeneratedLog(ordinary: consumes, seed: 4, accounts: 3),
        ]
        for log in logs {
            let names = Set(log.planted.map(\.fault.rule))
            let rules = RuleCatalogue.all.filter { names.contains($0.id) }
            let findings = try check(log.bytes, rules).findings(.error, .warning)
            #expect(!log.planted.isEmpty)
            #expect(FaultTests.holes(log.planted, findings) == [])
        }
    }

    private static func table(_ rows: [Row]) -> String {
        var text =
            "fault: took effect in this many of \(histories) histories; "
            + "rules that reported it, and in how many\n"
        for row in rows {
            text += "\n\(row.fault.name): \(row.effective)\n"
            for (name, count) in row.found.sorted(by: { $0.key < $1.key }) {
                let isOwn = name.hasPrefix("\(row.fault.rule),")
                text += "  \(isOwn ? "*" : " ") \(name): \(count)\n"
            }
        }
        return text
    }
}

extension PlantedFault {
    /// Whether a finding is the fault's: it has the fault's rule, event and, if the plan names
    /// them, account and key.
    fileprivate func isFound(as finding: Finding) -> Bool {
        finding.rule == fault.rule && finding.seq == seq
            && (account == nil || finding.account == account)
            && (key == nil || finding.key == key)
    }
}
