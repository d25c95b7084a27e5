import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

@testable import replay
import PurchaseSimulation

struct GenerateRunTests {
    @Test(arguments: [("guide", 40), ("today", 90)], 1...Effort.of(whole: 8, part: 3))
    func `a log without faults has no error and no warning`(
        _ store: (name: String, days: Int), _ seed: Int
    ) {
        let made = replay(
            "generate", "--store=\(store.name)", "--seed=\(seed)", "--events=2000",
            "--accounts=\(seed * 4)", "--days=\(seed * store.days)")
        #expect(made.status == .well)
        #expect(made.lines.count == 2_000)
        let assigns = made.lines.contains { $0.contains(#""ownership":"assigned""#) }
        #expect(assigns == (store.name == "today"))
        let checked = replay("check", "--strict", "-", on: TestHost(input: made.output))
        #expect(checked.status == .well, "\(checked.output)")
    }

    @Test func `the guide's store is the default`() {
        let made = replay("generate", "--events=300")
        #expect(made.output == replay("generate", "--events=300", "--store=guide").output)
        #expect(made.output != replay("generate", "--events=300", "--store=today").output)
    }

    @Test func `equal arguments give equal bytes, on every platform`() throws {
        let made = replay("generate", "--seed=42", "--events=3000", "--faults=all")
        let again = replay("generate", "--seed=42", "--events=3000", "--faults=all")
        #expect(made.output == again.output)
        #expect(made.output != replay("generate", "--seed=43", "--events=3000").output)
        // The FNV-1a hash of the whole log, and its first lines for human readers.
        let hash = made.output.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        let first = made.lines.prefix(40).joined(separator: "\n")
        try expectGolden("\(first)\nFNV-1a of 3,000 lines: \(hash)\n", "Tool/generate.txt")
    }

    @Test func `what is asked for is what comes`() {
        #expect(replay("generate").lines.count == 1_000)
        let one = replay("generate", "--events=400", "--accounts=1").lines.compactMap { line in
            line.firstRange(of: #""account":""#).map { line[$0.upperBound...].prefix(36) }
        }
        #expect(Set(one).count == 1)
    }

    @Test func `the plan says what was planted where, and check finds it there`() throws {
        let host = TestHost()
        let made = replay(
            "generate", "--events=3000", "--seed=3", "--faults=finishes-undelivered,charges-twice",
            "--plan=plan.json", on: host)
        #expect(made.status == .well)
        let plan = String(decoding: try #require(host.files["plan.json"]), as: UTF8.self)
            .split(separator: "\n")
        #expect(plan.count > 10)
        let checking = TestHost()
        checking.input = Array(made.output.utf8)
        let found = replay("check", "--format=json", "-", on: checking)
        #expect(found.status == .violated)
        for planted in plan {
            // In a plan, `rule` and `seq` follow `fault`.
            let rule = try #require(planted.firstMatch(of: /"rule":"([a-z-]+)","seq":(\d+)/))
            #expect(
                found.lines.contains {
                    $0.hasPrefix(#"{"rule":"\#(rule.1)","#) && $0.contains(#""seq":\#(rule.2),"#)
                }, "\(planted)")
        }
    }

    @Test(arguments: PurchaseSimulation.Fault.allCases)
    func `a fault names a rule that there is`(_ fault: PurchaseSimulation.Fault) {
        #expect(RuleCatalogue.find(fault.rule) != nil)
        #expect(PurchaseSimulation.Fault(name: fault.name) == fault)
    }

    @Test func `a log may begin in the last years of a log`() {
        let last = replay("generate", "--events=3000", "--start=9997-12-28", "--days=2")
        #expect(last.status == .well && last.lines.count == 3_000)
    }

    @Test func `a fault that is planted is not told`() {
        #expect(replay("generate", "--faults=finishes-twice").error.isEmpty)
    }

    @Test func `every seed of 64 bits makes a log`() {
        let seeds = ["0", "9223372036854775808", "18446744073709551615"]
        let logs = seeds.map { replay("generate", "--seed=\($0)", "--events=50") }
        #expect(logs.allSatisfy { $0.status == .well })
        #expect(Set(logs.map(\.output)).count == 3)
    }
}
