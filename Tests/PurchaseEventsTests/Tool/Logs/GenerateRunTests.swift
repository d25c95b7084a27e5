import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay
import PurchaseSimulation

@Suite struct GenerateRunTests {
    @Test(arguments: 1...8)
    func `a log without faults has no error and no warning`(_ seed: Int) {
        let made = replay(
            "generate", "--seed=\(seed)", "--events=2000", "--accounts=\(seed * 4)",
            "--days=\(seed * 40)")
        #expect(made.status == .well)
        #expect(made.lines.count == 2_000)
        let host = TestHost()
        host.input = Array(made.output.utf8)
        let checked = replay("check", "--strict", "-", on: host)
        #expect(checked.status == .well, "\(checked.output)")
    }

    @Test(arguments: 1...4)
    func `a log of today's store has no error and no warning`(_ seed: Int) {
        let made = replay(
            "generate", "--store=today", "--seed=\(seed)", "--events=2000",
            "--accounts=\(seed * 4)", "--days=\(seed * 90)")
        #expect(made.status == .well)
        #expect(made.lines.count == 2_000)
        #expect(made.lines.contains { $0.contains(#""ownership":"assigned""#) })
        let host = TestHost()
        host.input = Array(made.output.utf8)
        let checked = replay("check", "--strict", "-", on: host)
        #expect(checked.status == .well, "\(checked.output)")
    }

    @Test func `the guide's store is the default, and other stores are refused`() {
        let made = replay("generate", "--events=300")
        #expect(made.output == replay("generate", "--events=300", "--store=guide").output)
        #expect(made.output != replay("generate", "--events=300", "--store=today").output)
        #expect(replay("generate", "--store=tomorrow").status == .usage)
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
        let made = replay("generate", "--events=1", "--start=2030-05-06")
        #expect(
            made.output
                == #"{"seq":1,"at":"2030-05-06T00:00:00.000Z","type":"log.opened","schema":1,"#
                + #""app":"com.example.reader"}"# + "\n")
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

    @Test func `time past the years of a log is told, never a log that is too short`() {
        let late = replay("generate", "--events=200", "--start=9999-12-31T12:00:00Z")
        #expect(late.status == .usage && late.output.isEmpty)
        #expect(late.error.contains("seen `9999-12-31T12:00:00Z`"), "\(late.error)")
        // The number of days that a log covers is only roughly known in advance.
        let long = replay("generate", "--events=3000", "--start=9999-12-29", "--days=2")
        #expect(long.status == .usage && long.output.isEmpty)
        #expect(long.error.contains("at most `9997-12-28`, seen `9999-12-29`"), "\(long.error)")
        let last = replay("generate", "--events=3000", "--start=9997-12-28", "--days=2")
        #expect(last.status == .well && last.lines.count == 3_000)
        // Without --start, the message names the default.
        let many = replay("generate", "--events=1000000000", "--accounts=1", "--days=1")
        #expect(many.status == .usage && many.output.isEmpty)
        #expect(many.error.contains("seen `2026-01-01`"), "\(many.error)")
    }

    @Test func `a fault that is asked for and not planted is told`() {
        let short = replay("generate", "--events=5", "--faults=finishes-twice,skips-number")
        #expect(short.status == .well && short.lines.count == 5)
        #expect(
            short.error.hasPrefix(
                "replay: not planted, because this log has no opportunity for them: "
                    + "`finishes-twice`"),
            "\(short.error)")
        let all = replay("generate", "--events=5", "--faults=all")
        #expect(all.status == .well)
        #expect(all.error.contains("`finishes-undelivered`, `finishes-unpersisted`, "))
        #expect(replay("generate", "--faults=finishes-twice").error.isEmpty)
        #expect(replay("generate", "--events=5", "--faults=none").error.isEmpty)
    }

    @Test func `every seed of 64 bits makes a log`() {
        let seeds = ["0", "9223372036854775808", "18446744073709551615"]
        let logs = seeds.map { replay("generate", "--seed=\($0)", "--events=50") }
        #expect(logs.allSatisfy { $0.status == .well })
        #expect(Set(logs.map(\.output)).count == 3)
        let greater = replay("generate", "--seed=18446744073709551616")
        #expect(greater.status == .usage)
        #expect(greater.error.contains("from 0 to 18446744073709551615"), "\(greater.error)")
    }

    @Test(arguments: [
        (",", "expected a name on each side of a comma, seen `,`"),
        ("finishes-twice,", "expected a name on each side of a comma"),
        (",finishes-twice", "expected a name on each side of a comma"),
        ("all,none", "expected `all` alone, seen `all,none`"),
        ("finishes-twice,all", "expected `all` alone"),
        ("finishes-twice,none", "expected `none` alone"),
        ("finishes-twice,finishes-twise", "did you mean `finishes-twice`?"),
    ])
    func `a list of faults that is none is told`(_ list: String, _ words: String) {
        let made = replay("generate", "--faults=\(list)")
        #expect(made.status == .usage && made.output.isEmpty)
        #expect(made.error.contains(words), "\(made.error)")
    }

    @Test func `wrong arguments are told`() {
        let unknown = replay("generate", "--faults=finishes-undeliverd")
        #expect(unknown.status == .usage)
        #expect(unknown.error.contains("did you mean `finishes-undelivered`?"))
        #expect(replay("generate", "--events=0").status == .usage)
        #expect(replay("generate", "log.jsonl").status == .usage)
        #expect(replay("generate", "--start=soon").status == .usage)
        let host = TestHost()
        host.unreadable = ["plan"]
        let ran = replay("generate", "--events=5", "--plan=plan", on: host)
        #expect(ran.status == .ioFailed)
        #expect(ran.error == "replay: cannot write `plan`: Permission denied\n")
        #expect(ran.output.isEmpty)
        let full = TestHost()
        full.outputProblem = 28
        #expect(replay("generate", on: full).status == .ioFailed)
    }
}
