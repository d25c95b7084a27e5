import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

@testable import replay

struct LogInputTests {
    private let rules: [any Rule.Type] = [NothingFinished.self]

    @Test func `what is no log is told in clear words`() {
        let host = TestHost([
            "empty.jsonl": "", "notes/readme.txt": "x", "tree/logs/a.jsonl": "x",
        ])
        host.files["log.gz"] = [0x1F, 0x8B, 0x08, 0x00]
        host.files["picture"] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00]
        host.files["locked.jsonl"] = [0x7B]
        host.unreadable = ["locked.jsonl"]
        func told(_ path: String) -> (ToolStatus, String) {
            let fresh = TestHost(bytes: host.files)
            fresh.unreadable = host.unreadable
            let ran = replay("check", path, on: fresh)
            #expect(ran.output.isEmpty)
            return (ran.status, ran.error)
        }
        #expect(
            told("missing.jsonl")
                == (.noInput, "replay: cannot read `missing.jsonl`: No such file or directory\n"))
        #expect(
            told("locked.jsonl")
                == (.noInput, "replay: cannot read `locked.jsonl`: Permission denied\n"))
        #expect(
            told("notes")
                == (.noInput, "replay: no logs in `notes`: expected files named *.jsonl\n"))
        #expect(told("tree").1.hasSuffix("expected files named *.jsonl; `tree/logs` has some\n"))
        let empty = told("empty.jsonl")
        #expect(empty.0 == .undetermined)
        #expect(empty.1.hasPrefix("replay: empty.jsonl is empty: expected a log"))
        let zipped = told("log.gz")
        #expect(zipped.0 == .undetermined)
        #expect(zipped.1.hasPrefix("replay: log.gz is gzip, not a log: expected one JSON object"))
        #expect(told("picture").1.hasPrefix("replay: picture is binary data, not a log"))
        #expect(replay("check", "-").status == .undetermined)
    }

    @Test func `a name that is no UTF-8 is told, and the other logs are checked`() {
        let host = TestHost(["logs/b.jsonl": Logs.text(Logs.small)])
        host.unnameable = ["logs/bad\u{FFFD}.jsonl"]
        let ran = replay("check", "logs", on: host, rules: rules)
        #expect(ran.status == .noInput)
        #expect(
            ran.error.hasPrefix(
                "replay: cannot read `logs/bad\u{FFFD}.jsonl`: its name is not UTF-8\n"))
        #expect(ran.error.contains("1 log, 7 lines: 7 events"))
        #expect(ran.lines.contains { $0.hasPrefix("logs/b.jsonl:5: error:") })
    }

    @Test func `what in a folder can't be read is told, and the other logs are checked`() {
        let text = Logs.text(Logs.small)
        let host = TestHost(["logs/b.jsonl": text, "logs/c.jsonl": text, "logs/d.jsonl": text])
        host.pipes = ["logs/b.jsonl"]
        host.unreadable = ["logs/d.jsonl"]
        // A dangling link.
        host.unnameable = ["logs/z.jsonl"]
        let ran = replay("check", "logs", on: host, rules: rules)
        #expect(ran.status == .noInput)
        #expect(
            ran.error.hasPrefix(
                """
                replay: `logs/b.jsonl` is left out: expected a file in the folder, seen a pipe or \
                a device
                replay: cannot read `logs/d.jsonl`: Permission denied
                replay: cannot read `logs/z.jsonl`: No such file or directory
                replay: 1 log, 7 lines: 7 events
                """), "\(ran.error)")
        #expect(ran.lines.contains { $0.hasPrefix("logs/c.jsonl:5: error:") })
    }

    @Test func `a read that fails ends with 74`() {
        let host = TestHost(["a.jsonl": Logs.text(Logs.small)])
        host.broken = ["a.jsonl"]
        for command in [["check"], ["stats"], ["show", "pending"], ["explain", "t1"]] {
            let status = Tool.run(command + ["a.jsonl"], on: host)
            #expect(status == .ioFailed)
        }
        #expect(host.error.contains("cannot read `a.jsonl`: Input/output error"))
    }

    @Test func `nothing behind the event that reading stops at is read`() throws {
        for name in ["not-json", "torn-tail"] {
            let ran = replay(
                "check", "--until-seq=3", "events/malformed/\(name).jsonl",
                on: try .samples("malformed"), rules: rules)
            #expect(ran.status == .well && ran.output.isEmpty, "\(name): \(ran.output)")
            #expect(ran.error.hasPrefix("replay: 1 log, 3 lines: 3 events"))
        }
        // The event may be anywhere in a block.
        let made = replay("generate", "--seed=5", "--events=400").output
        #expect(made.utf8.count > 1 << 16)
        for seq in stride(from: 2, to: 400, by: Effort.of(whole: 1, part: 24)) {
            let ran = replay(
                "check", "--until-seq=\(seq)", "-", on: TestHost(input: made), rules: rules)
            #expect(ran.error.hasPrefix("replay: 1 log, \(seq) lines: \(seq) events"))
        }
        // Without an event of that seq, reading stops before the first greater one.
        let gap = Logs.text(Logs.small[..<3] + ["?"] + Logs.small[4...])
        let ran = replay("check", "--until-seq=4", "-", on: TestHost(input: gap), rules: rules)
        #expect(ran.error.hasPrefix("replay: 1 log, 4 lines: 3 events, 1 not understood"))
    }

    /// Long enough to be read on two threads.
    @Test func `where reading stops doesn't depend on threads`() {
        let made = replay("generate", "--seed=5", "--events=5000", "--faults=all").output
        #expect(made.utf8.count > 1 << 20)
        for stop in ["--until-seq=1", "--until-seq=300", "--until-seq=4000", "--until=2030-01-01"] {
            for command in [["check", "--verbose"], ["show", "all"]] {
                let said = (1...2).map { threads in
                    let host = TestHost(["a.jsonl": made])
                    _ = Tool.run(
                        command + ["--format=json", stop, "--threads=\(threads)", "a.jsonl"],
                        on: host)
                    return host.output
                }
                #expect(said[0] == said[1], "\(command) \(stop)")
                // With only the first line, the answer is empty.
                #expect(!said[0].isEmpty || stop == "--until-seq=1", "\(command) \(stop)")
            }
        }
    }

    @Test func `a log is damaged and still read line by line`() {
        let host = TestHost()
        host.files["a.jsonl"] =
            Array(Logs.text(Logs.small).utf8) + [0, 0, 0, 0x0A] + Array("{\"seq\":".utf8)
        let ran = replay("check", "a.jsonl", on: host, rules: [])
        #expect(ran.status == .undetermined)
        #expect(ran.lines.count == 2)
        #expect(ran.lines[1].contains("[torn-tail]"))
    }
}
