import TestSupport
import Testing

@testable import replay

/// What `logs.stories` doesn't say of where reading stops.
struct LogInputTests {
    @Test func `the event that reading stops at may be anywhere in a block`() {
        let made = replay("generate", "--seed=5", "--events=400").output
        #expect(made.utf8.count > 1 << 16)
        for seq in stride(from: 2, to: 400, by: Effort.of(whole: 1, part: 24)) {
            let ran = replay(
                "check", "--until-seq=\(seq)", "-", on: TestHost(input: made), rules: [])
            #expect(ran.error.hasPrefix("replay: 1 log, \(seq) lines: \(seq) events"))
        }
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
}
