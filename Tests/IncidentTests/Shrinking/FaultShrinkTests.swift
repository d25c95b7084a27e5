import Foundation
import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// Every fault that the simulator plants shrinks to the lines that show it.
struct FaultShrinkTests {
    static let faults = Fault.allCases.enumerated()
        .filter { Effort.isWhole || $0.offset % 8 == 0 }.map(\.element)

    @Test(arguments: faults) func `a fault shrinks to a log that shows it alone`(_ fault: Fault)
        throws
    {
        var options = SimulationOptions(
            events: Effort.of(whole: 4_000, part: 1_500), accounts: 12, days: 365)
        options.salt = 11
        options.faults = [fault]
        let simulation = Simulation(options, choices: SeededChoices(seed: 11))
        var bytes: [UInt8] = []
        while try simulation.appendLine(to: &bytes) {}
        let log = LogLines(bytes)
        let findings = try log.findings()
        guard let finding = findings.first(where: { $0.rule == fault.rule }) else {
            // A short log gives no opportunity for some faults.
            return
        }
        let result = try #require(
            try LogShrinker.shrink(log, to: finding, of: findings), "\(fault), seed 11")
        #expect(result.isMinimal)
        let small = result.lines
        let target = try #require(TargetFinding(finding))
        let shown = try small.findings()
        #expect(shown.contains(where: target.isShown), "\(fault)")
        let again = try shown.first(where: target.isShown).flatMap {
            try LogShrinker.shrink(small, to: $0, of: shown)
        }
        #expect(again?.lines.bytes == small.bytes, "\(fault): not as small as can be")
        let whole = Set(findings.filter { $0.level == .error }.map(\.rule)).union([fault.rule])
        let broken = Set(shown.filter { $0.level == .error }.map(\.rule))
        #expect(broken.isSubset(of: whole), "\(fault): \(broken)")
        let sample = try sampleLines(of: fault.rule)
        // The rule's sample shows an excess, which is found at the delivery. A shortfall is found
        // at the finish, so its log needs a purchase that is also persisted and finished.
        let longer = fault == .deliversTooLittle ? 3 : 2
        #expect(
            small.count <= sample + longer,
            "\(fault): \(small.count) lines, the sample has \(sample)")
        for left in small.indices.dropFirst() {
            let rest = renumbered(small.taking(small.indices.filter { $0 != left }))
            let found = try rest.findings()
            let others = Set(found.filter { $0.level == .error }.map(\.rule)).subtracting(whole)
            #expect(
                !found.contains(where: target.isShown) || !others.isEmpty,
                "\(fault): line \(left + 1) can be left out")
        }
    }

    @Test func `a log without the fault gives nothing`() throws {
        let log = LogLines(
            text: #"{"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1}"#)
        let never = try LogShrinker { _ in false }.shrink(log)
        #expect(never == nil)
    }

    @Test func `a test of one's own shrinks too, and stops when the time is over`() throws {
        var log = LogLines()
        for seq in 1...40 {
            let noted = #""at":"2026-03-01T09:00:00.000Z","type":"log.noted","text""#
            log.append("{\"seq\":\(seq),\(noted):\"\(seq)\"}".utf8)
        }
        func hasTwo(_ lines: LogLines) -> Bool {
            let text = String(decoding: lines.bytes, as: UTF8.self)
            return text.contains(#""text":"7""#) && text.contains(#""text":"33""#)
        }
        let minimal = try #require(try LogShrinker(where: hasTwo).shrink(log))
        #expect(minimal.lines.count == 2 && minimal.isMinimal)
        var calls = 0
        let cut = try #require(
            try LogShrinker(where: hasTwo).shrink(log) {
                calls += 1
                return calls < 6
            })
        #expect(!cut.isMinimal && hasTwo(cut.lines))
    }

    private func sampleLines(of rule: String) throws -> Int {
        let file = Folders.events.appending(path: "violations/\(rule).jsonl")
        return LogLines(try Folders.bytes(of: file)).count
    }

    private func renumbered(_ lines: LogLines) -> LogLines {
        var log = LogLines()
        for index in lines.indices {
            let text = String(decoding: lines[index], as: UTF8.self)
            let rest = text.drop { $0 != "," }
            log.append("{\"seq\":\(index + 1)\(rest)".utf8)
        }
        return log
    }
}
