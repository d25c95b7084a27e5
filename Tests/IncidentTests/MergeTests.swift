import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

struct MergeTests {
    private static func opened(_ rest: String = "") -> String {
        #"{"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened"\#(rest),"schema":1}"#
    }

    private static func noted(_ second: Int, _ text: String, _ rest: String = "") -> String {
        #"{"seq":2,"at":"2026-03-01T09:00:0\#(second).000Z","type":"log.noted"\#(rest),"#
            + #""text":"\#(text)"}"#
    }

    private func merged(_ logs: [String]...) throws -> (
        lines: [String], summary: LogMerger.Summary
    ) {
        var bytes: [UInt8] = []
        let parts = logs.map { LogParts($0.flatMap { Array($0.utf8) + [0x0A] }) }
        let summary = try LogMerger(parts).merge { bytes += $0 }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        return (lines, summary)
    }

    /// The parts are those of each device and that of the store, each with its own `log.opened`.
    @Test(arguments: SimulationOptions.Store.allCases)
    func `a log cut into devices and the store is merged into the whole`(
        _ store: SimulationOptions.Store
    ) throws {
        for seed in 1...UInt64(Effort.of(whole: 1_000, part: 20)) {
            var events = GeneratedEvents.log(seed: seed, store: store)
            // Only different times decide which event came first.
            for index in events.indices.dropFirst() {
                let least = events[index - 1].at.advanced(byMilliseconds: 1)
                events[index].at = max(events[index].at, least)
            }
            let devices = Set(events.dropFirst().map(\.device))
            let parts = devices.map { device in
                [events[0]] + events.dropFirst().filter { $0.device == device }
            }
            var dice = Dice(seed: seed)
            let logs = try parts.shuffled(using: &dice).map { part in
                LogParts(try part.log())
            }
            let whole = try events.log()
            let merged = try LogMerger(logs).merged()
            #expect(merged == whole, "seed \(seed), \(parts.count) parts")
            let findings = try LogLines(merged).findings()
            #expect(findings == (try LogLines(whole).findings()))
            #expect(findings.allSatisfy { $0.level == .note }, "seed \(seed)")
            if merged != whole {
                let differences = try LogComparison(LogParts(whole), LogParts(merged)).differences()
                #expect(differences.isEmpty, "seed \(seed)")
            }
        }
    }

    /// The parts overlap as a webhook's capture and a history page do: shared events count once.
    @Test func `events that several logs have are merged once`() throws {
        for seed in 1...UInt64(Effort.of(whole: 200, part: 6)) {
            var events = GeneratedEvents.log(seed: seed)
            for index in events.indices.dropFirst() {
                events[index].at = max(
                    events[index].at, events[index - 1].at.advanced(byMilliseconds: 1))
                events[index].id = "e\(index)"
            }
            var dice = Dice(seed: seed)
            let parts = (0..<3).map { _ in
                [events[0]] + events.dropFirst().filter { _ in dice.below(2) == 0 }
            }
            let kept = Set(parts.flatMap { $0.map(\.seq) })
            let expected = try events.filter { kept.contains($0.seq) }.log()
            let logs = try parts.map { LogParts(try $0.log()) }
            #expect(try LogMerger(logs).merged() == expected, "seed \(seed)")
        }
    }

    @Test func `lines are ordered by time, then by log, and each log keeps its own order`() throws {
        let (lines, summary) = try merged(
            [MergeTests.opened(), MergeTests.noted(3, "a3"), MergeTests.noted(1, "a1"), "", "?"],
            [MergeTests.opened(), MergeTests.noted(2, "b2"), MergeTests.noted(3, "b3")])
        #expect(
            lines.map { $0.suffix(5) } == [
                "a\":1}".suffix(5), #""b2"}"#, #""a3"}"#, #""a1"}"#, "", "?", #""b3"}"#,
            ])
        #expect(lines[6].hasPrefix(#"{"seq":6,"#))
        #expect([summary.events, summary.notUnderstood, summary.blank] == [5, 1, 1])
    }

    @Test func `equal ids merge once, and differing ones stay and are named`() throws {
        let id = #","id":"x""#
        let (lines, summary) = try merged(
            [MergeTests.opened(), MergeTests.noted(1, "same", id)],
            [MergeTests.opened(), MergeTests.noted(2, "same", id), MergeTests.noted(3, "no", id)])
        #expect(lines.count == 3)
        #expect(summary.repeated == 1)
        #expect(summary.conflicts.map { "\($0.log):\($0.line) \($0.id)" } == ["1:3 x"])
    }

    @Test func `what a log.opened says of environments is kept on the lines`() throws {
        let id = #","id":"x""#
        let sandbox = #","environment":"sandbox""#
        let (lines, summary) = try merged(
            [
                MergeTests.opened(sandbox), MergeTests.noted(1, "s"),
                MergeTests.noted(5, "both", id),
            ],
            [
                MergeTests.opened(), MergeTests.noted(2, "p"),
                MergeTests.noted(4, "both", id + sandbox),
            ])
        #expect(
            lines == [
                MergeTests.opened(),
                MergeTests.noted(1, "s", sandbox).replacing("\"seq\":2", with: "\"seq\":2"),
                MergeTests.noted(2, "p").replacing("\"seq\":2", with: "\"seq\":3"),
                MergeTests.noted(4, "both", id + sandbox)
                    .replacing("\"seq\":2", with: "\"seq\":4"),
            ])
        #expect(summary.namedEnvironments == [.sandbox, nil])
        #expect(summary.repeated == 1)
        let alike = try merged(
            [MergeTests.opened(sandbox), MergeTests.noted(1, "s")],
            [MergeTests.opened(sandbox), MergeTests.noted(2, "p")])
        #expect(alike.lines[0] == MergeTests.opened(sandbox))
        #expect(alike.lines[1] == MergeTests.noted(1, "s"))
        #expect(alike.summary.namedEnvironments == [nil, nil])
    }

    @Test func `apps and writers on which logs differ are left out and named`() throws {
        let late = MergeTests.opened().dropLast(1)
        let early = late.replacing("T09", with: "T08")
        let (lines, summary) = try merged(
            [late + #","app":"a","writer":"w1"}"#], [early + #","app":"a","writer":"w2"}"#])
        #expect(lines == [early + #","app":"a"}"#])
        #expect(summary.leftOut.map(\.value) == ["w1", "w2"])
    }

    @Test func `a byte order mark before an opening goes`() throws {
        let (lines, _) = try merged(["\u{FEFF}" + MergeTests.opened(), MergeTests.noted(1, "a")])
        #expect(lines == [MergeTests.opened(), MergeTests.noted(1, "a")])
    }
}
