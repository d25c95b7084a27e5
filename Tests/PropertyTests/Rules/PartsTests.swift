import Foundation
import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// A log may be split into parts that are checked separately (`check --part`).
struct PartsTests {
    private static let faults = Fault.allCases.enumerated()
        .filter { Effort.isWhole || $0.offset % 12 == 0 }.map(\.element)

    @Test func `what the parts of a history show is what the history shows`() {
        expectHolds("a history in parts", cases: Effort.of(whole: 200, part: 8)) { trial in
            let faults = Fault.allCases.filter { _ in trial.choices.happens(oncePer: 4) }
            let log = try GeneratedLog(trial.choices, faults: Set(faults), upTo: 300)
            trial.show(log)
            return try difference(log.bytes, count: Int(trial.choices.number(in: 1...16)))
        }
    }

    @Test(arguments: faults)
    func `each fault is found in a part`(_ fault: Fault) throws {
        for seed in UInt64(1)...Effort.of(whole: 3, part: 1) {
            let log = try GeneratedLog(ordinary: [fault], seed: seed)
            let difference = try difference(log.bytes, count: 4)
            #expect(difference == nil, "\(fault), seed \(seed): \(difference ?? "")")
        }
    }

    @Test(arguments: ["valid", "violations", "malformed", "regressions"])
    func `samples in parts show what they show whole`(_ folder: String) throws {
        for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
            let bytes = try Folders.bytes(of: file)
            for count in [1, 2, 5] {
                let difference = try difference(bytes, count: count)
                #expect(difference == nil, "\(file.path), \(count): \(difference ?? "")")
            }
        }
    }

    @Test func `only the rules of the format need more than a part`() {
        let apart = RuleCatalogue.all.map { RuleInfo($0) }.filter { $0.scope != .part }
            .map { "\($0.id) \($0.scope)" }
        #expect(apart == ["sequence-unbroken whole", "clock-goes-forward device"])
    }

    /// The reports of the rules for parts on a whole log.
    private func checkOfParts(_ log: [UInt8]) throws -> [(rule: RuleInfo, report: Report)] {
        let reader = LogReader()
        var check = Check(of: LogParts.rules, names: reader.decoder.names)
        try reader.read(MemorySource(log)) { line in
            check.observe(line)
            return true
        }
        return check.finish()
    }

    /// The difference between the findings, tests and reasons of the parts and those of the whole,
    /// or `nil`.
    private func difference(_ log: [UInt8], count: Int) throws -> String? {
        let parts = LogParts(log, count: count)
        let whole = try checkOfParts(log)
        let shared = try parts.check(parts.shared)
        let reports = try parts.lines.map { lines in (lines, try parts.check(lines)) }
        for (index, (rule, report)) in whole.enumerated() {
            var found: Set<Finding> = []
            var tested = shared[index].report.tested * (1 - count)
            var isUndetermined = false
            for (number, (lines, answers)) in reports.enumerated() {
                let part = answers[index].report
                found.formUnion(
                    part.findings.map { LogParts.inWhole($0, lines) }
                        .filter { parts.homes[Int($0.line), default: number] == number })
                tested += part.tested
                isUndetermined = isUndetermined || !part.because.isEmpty
            }
            let missing = Set(report.findings).subtracting(found)
            let added = found.subtracting(report.findings)
            if let finding = missing.first { return "the parts don't find \(finding)" }
            if let finding = added.first { return "only a part finds \(finding)" }
            if tested != report.tested {
                return "\(rule.id) was tested \(report.tested) times, in parts \(tested)"
            }
            if isUndetermined == report.because.isEmpty {
                return "\(rule.id): \(report.because) isn't what the parts say"
            }
        }
        return nil
    }
}
