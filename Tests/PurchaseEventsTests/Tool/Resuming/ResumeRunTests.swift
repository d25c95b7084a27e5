import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

@testable import replay

/// Runs that go on from where the last one ended answer as runs over the whole log do.
struct ResumeRunTests {
    private static let commands: [[String]] = [
        ["check", "--format=json", "--verbose", "--max-findings=0"],
        ["show", "all", "--format=json"],
        ["stats", "--format=json"],
    ]
    private static let folders = ["valid", "violations", "malformed"]

    /// The log without its last lines, each time with one line more, and its name.
    private static func prefixes(of bytes: [UInt8]) -> [[UInt8]] {
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        return ends.map { Array(bytes[...$0]) } + [bytes]
    }

    /// The answer without the time that it took.
    private static func answer(_ ran: Ran) -> String {
        let error = ran.error.split(separator: "\n").map { line in
            line.hasSuffix(" s")
                ? line.split(separator: ";").dropLast().joined(separator: ";")
                : String(line)
        }
        return "\(ran.status)\n\(ran.output)\n\(error.joined(separator: "\n"))"
    }

    @Test(arguments: folders, commands)
    func `a log that grows line by line`(_ folder: String, _ command: [String]) throws {
        let samples = try TestHost.samples(folder).files
        for (path, bytes) in samples.sorted(by: { $0.key < $1.key }) {
            let host = TestHost()
            // Long samples grow by several lines at once.
            let all = ResumeRunTests.prefixes(of: bytes)
            let step = max(1, all.count / Effort.of(whole: 200, part: 2))
            for place in all.indices where place % step == 0 || place == all.count - 1 {
                host.files[path] = all[place]
                let words = "\(path), \(place) of \(all.count)"
                guard expectSame(command, path, on: host, words) else { return }
            }
        }
    }

    /// Expects that a run from where the last one ended answers as a run over the whole log does.
    @discardableResult
    private func expectSame(
        _ command: [String], _ path: String, on host: TestHost, _ words: String
    ) -> Bool {
        let whole = ResumeRunTests.run(command + [path], on: host)
        let resumed = ResumeRunTests.run(command + ["--resume=state", path], on: host)
        #expect(resumed == whole, "\(words)")
        return resumed == whole
    }

    private static func run(_ arguments: [String], on host: TestHost) -> String {
        let one = TestHost(bytes: host.files)
        let ran = replay(arguments, on: one)
        host.files["state"] = one.files["state"]
        return answer(ran)
    }

    @Test func `a last line without its end is read again`() throws {
        let path = "log.jsonl"
        let bytes = try #require(TestHost.samples("valid").files["events/valid/refund.jsonl"])
        let host = TestHost()
        for cut in stride(from: 1, through: bytes.count, by: 37) {
            host.files[path] = Array(bytes[..<cut])
            for command in ResumeRunTests.commands {
                host.files["state"] = host.files[command[0]]
                let words = "\(command[0]), \(cut) of \(bytes.count) bytes"
                expectSame(command, path, on: host, words)
                host.files[command[0]] = host.files["state"]
            }
        }
    }

    @Test func `segments of one log that grows, and several logs`() throws {
        let samples = try TestHost.samples("valid").files
        let refund = try #require(samples["events/valid/refund.jsonl"])
        let host = TestHost()
        for command in ResumeRunTests.commands {
            host.files = ["state": nil].compactMapValues { $0 }
            for size in [1_700, 2_000, refund.count] {
                host.files["folder/0000000000000000.jsonl"] = Array(refund[..<min(size, 2_000)])
                if size > 2_000 {
                    host.files["folder/0000000000002000.jsonl"] = Array(refund[2_000...])
                }
                expectSame(command, "folder", on: host, "\(command[0]), \(size) bytes")
            }
            host.files = [:]
            for part in [3, 2, 1] {
                for (path, bytes) in samples {
                    host.files[path] = Array(bytes[..<(bytes.count / part)])
                }
                let words = "\(command[0]), 1/\(part) of each log"
                expectSame(command, "events/valid", on: host, words)
            }
        }
    }

    @Test func `--new prints what the last run didn't know, and counts everything`() throws {
        let path = "events/violations/delivered-once.jsonl"
        let bytes = try #require(TestHost.samples("violations").files[path])
        let all = ResumeRunTests.prefixes(of: bytes)
        let host = TestHost([:])
        var printed: [String] = []
        for prefix in all {
            let run = TestHost(bytes: host.files)
            run.files[path] = prefix
            replay("check", "--format=json", "--new", "--resume=state", path, on: run)
            printed += run.output.split(separator: "\n").map(String.init)
            host.files = run.files
        }
        host.files["state"] = nil
        let whole = replay("check", "--format=json", path, on: host).lines
        #expect(!whole.isEmpty)
        for line in whole { #expect(printed.count { $0 == line } == 1, "\(line)") }
        let again = TestHost(bytes: host.files)
        replay("check", "--resume=state", path, on: again)
        let last = TestHost(bytes: again.files)
        let ran = replay("check", "--new", "--resume=state", path, on: last)
        #expect(ran.output.isEmpty)
        #expect(ran.status == .violated)
        #expect(ran.error.contains("(0 new)"))
    }

    @Test func `own rules keep their state if they are Snapshotted`() throws {
        let path = "events/valid/refund.jsonl"
        let samples = try TestHost.samples("valid").files
        let bytes = try #require(samples[path])
        for rule in [EventsCounted.self, EventsForgotten.self] as [any Rule.Type] {
            let host = TestHost()
            for prefix in ResumeRunTests.prefixes(of: bytes) {
                let (run, whole) = (TestHost(), TestHost())
                run.files = host.files
                (run.files[path], whole.files[path]) = (prefix, prefix)
                let resumed = replay("check", "--resume=state", path, on: run, rules: [rule])
                let once = replay("check", path, on: whole, rules: [rule])
                #expect(resumed.output == once.output)
                #expect(resumed.status == once.status)
                let isNoted = resumed.error.contains("isn't Snapshotted")
                #expect(isNoted == (rule == EventsForgotten.self))
                #expect((run.files["state"] == nil) == isNoted)
                host.files = run.files
            }
        }
    }
}

/// A rule that counts events: each seventh is a finding.
private struct EventsCounted: Rule, Snapshotted {
    static let level = Level.note
    static let statement = "No event is the seventh. This is a rule for tests."
    static let evidence = ["G4.8"]
    static let reads = EventTypes.all
    private var count = 0

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&count) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        report.test()
        count += 1
        guard count % 7 == 0 else { return }
        report.find(event, on: line, facts, key: nil, "this is event \(count): expected another")
    }
}

/// The same rule, without a word on its state.
private struct EventsForgotten: Rule {
    static let level = Level.note
    static let statement = "No event is the seventh. This is a rule for tests."
    static let evidence = ["G4.8"]
    static let reads = EventTypes.all
    private var counted = EventsCounted()

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        counted.observe(event, on: line, facts: facts, report: &report)
    }
}
