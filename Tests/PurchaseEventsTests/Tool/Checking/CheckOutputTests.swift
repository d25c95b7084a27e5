import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

struct CheckOutputTests {
    private let rules: [any Rule.Type] = [NothingFinished.self, NothingLaunched.self]

    /// The small log, with a line that is not understood and a line with an unknown key.
    private var host: TestHost {
        var lines = Logs.small
        lines.insert("{\"seq\":", at: 3)
        lines[2] = lines[2].replacingOccurrences(of: "{", with: "{\"colour\":1,")
        return TestHost(["logs/a b,c.jsonl": Logs.text(lines)])
    }

    private func check(_ arguments: String...) -> Ran {
        let host = host
        return replay(["check"] + arguments + ["logs/a b,c.jsonl"], on: host, rules: rules)
    }

    @Test func `each format prints findings and diagnostics by line`() throws {
        for format in OutputFormat.allCases where format != .csv {
            let ran = check("--format=\(format.rawValue)")
            #expect(ran.status == .violated)
            try expectGolden(ran.output, "Tool/check.\(format.rawValue).txt")
            #expect(check("--format=\(format.rawValue)").output == ran.output)
        }
    }

    @Test func `every line of the JSON format is an object with the documented keys`() throws {
        let documented: Set<String> = [
            "rule", "level", "path", "line", "seq", "account", "key", "message", "notes", "hint",
            "diagnostic", "byte", "verdict", "tested", "findings", "because",
        ]
        let ran = check("--format=json", "--verbose")
        for line in ran.lines {
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let object = try #require(value as? [String: Any])
            #expect(Set(object.keys).isSubset(of: documented))
        }
        let verdicts = ran.lines.suffix(2)
        #expect(
            Array(verdicts) == [
                #"{"rule":"nothing-finished","verdict":"violated","tested":2,"findings":2}"#,
                #"{"rule":"nothing-launched","verdict":"violated","tested":1,"findings":1}"#,
            ])
    }

    @Test func `the SARIF document has what the schema requires`() throws {
        let ran = check("--format=sarif")
        let value = try JSONSerialization.jsonObject(with: Data(ran.output.utf8))
        let document = try #require(value as? [String: Any])
        #expect(document["version"] as? String == "2.1.0")
        let run = try #require((document["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "replay")
        let descriptors = try #require(driver["rules"] as? [[String: Any]])
        #expect(descriptors.allSatisfy { $0["id"] is String })
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 5)
        for result in results {
            #expect((result["message"] as? [String: Any])?["text"] is String)
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(descriptors[index]["id"] as? String == result["ruleId"] as? String)
            let location = try #require((result["locations"] as? [[String: Any]])?.first)
            let place = try #require(location["physicalLocation"] as? [String: Any])
            let artifact = try #require(place["artifactLocation"] as? [String: Any])
            #expect(artifact["uri"] as? String == "logs/a%20b%2Cc.jsonl")
            #expect((place["region"] as? [String: Any])?["startLine"] as? Int ?? 0 > 0)
        }
        let empty = replay(
            "check", "--format=sarif", "a", on: TestHost(["a": Logs.text(Logs.small)]), rules: [])
        #expect(try JSONSerialization.jsonObject(with: Data(empty.output.utf8)) is [String: Any])
    }

    @Test func `the verdict of every rule is printed when it is asked for`() {
        #expect(
            Array(check("--verbose").lines.suffix(2)) == [
                "violated      nothing-finished  tested 2 times, 2 findings",
                "violated      nothing-launched  tested 1 time, 1 finding",
            ])
        let ran = check("--verbose", "--account=a2", "--rule=nothing-l")
        #expect(
            Array(ran.lines.suffix(2)) == [
                "undetermined  nothing-launched  tested 1 time",
                "    because line 4 may be a launch",
            ])
        #expect(ran.status == .undetermined)
    }

    @Test func `the summary says how many rules came to what`() {
        #expect(check().error.contains("; 2 rules: 0 hold, 1 with errors, 1 with warnings; "))
        let undetermined = check("--account=nobody")
        let words = "; 2 rules: 1 hold, 1 undetermined (--verbose says why); "
        #expect(undetermined.error.contains(words), "\(undetermined.error)")
        let host = TestHost(["a": Logs.text(Logs.small)])
        #expect(replay("check", "a", on: host, rules: []).error.contains("; 0 rules: 0 hold; "))
    }

    @Test func `a rule whose findings are notes isn't called violated`() throws {
        let log = "events/valid/clock-set-back.jsonl"
        let host = try TestHost.samples("valid")
        let ran = replay("check", "--verbose", "--rule=clock-goes-forward", log, on: host)
        #expect(ran.status == .well)
        #expect(!(ran.output + ran.error).contains("violated"))
        #expect(ran.lines.last?.hasPrefix("noted         clock-goes-forward  tested ") == true)
        #expect(ran.error.contains("; 1 rule: 0 hold, 1 with notes; "), "\(ran.error)")
    }

    @Test func `the first findings by line are printed and all are counted`() {
        let ran = check("--max-findings=1")
        #expect(ran.lines.filter { $0.contains("[nothing-") }.count == 1)
        #expect(ran.lines.filter { $0.contains("byte") || $0.contains("[not-json]") }.count <= 1)
        #expect(ran.error.contains("2 errors, 1 warning, 0 notes (the first 1 shown)"))
        #expect(check("--max-findings=0").output == check().output)
    }

    @Test func `findings of one account are kept alone`() {
        let ran = check("--account=a2")
        let found = ran.lines.filter { $0.contains("[nothing-") }
        #expect(
            found == [
                "logs/a b,c.jsonl:8: error: [nothing-finished] "
                    + "an entry was finished: expected none"
            ])
        #expect(check("--account=nobody", "--rule=nothing-f").status == .undetermined)
    }

    @Test func `an account that no log names is told of, since nothing is found of it`() {
        let words = "replay: no line names the account `nobody`\n"
        for (account, isTold) in [("nobody", true), ("a2", false)] {
            #expect(check("--account=\(account)").error.contains(words) == isTold)
            let host = TestHost(["a": Logs.text(Logs.small)])
            let shown = replay("show", "pending", "--account=\(account)", "a", on: host)
            #expect(shown.error.contains(words) == isTold)
            let told = replay("explain", "t1", "--account=\(account)", "a", on: host)
            #expect(told.error.contains(words) == isTold)
        }
        #expect(!check().error.contains("no line names"))
    }

    @Test func `the exit status tells how it went`() {
        let log = ["a": Logs.text(Logs.small)]
        func status(_ arguments: String..., rules: [any Rule.Type]) -> ToolStatus {
            Tool.run(["check"] + arguments + ["a"], on: TestHost(log), rules: rules)
        }
        #expect(status(rules: []) == .well)
        #expect(status(rules: [NothingFinished.self]) == .violated)
        #expect(status(rules: [NothingLaunched.self]) == .well)
        #expect(status("--strict", rules: [NothingLaunched.self]) == .violated)
        #expect(check("--rule=nothing-launched").status == .undetermined)
        #expect(check("--rule=nothing-launched", "--strict").status == .violated)
    }

    @Test func `a write that fails ends with 74`() {
        let host = host
        host.outputProblem = 28
        let status = Tool.run(["check", "logs"], on: host, rules: rules)
        #expect(status == .ioFailed)
        #expect(
            host.error == "replay: cannot write standard output: No space left on device\n")
    }

    @Test func `diagnostics that are counted and not printed are told`() {
        let text = Logs.text(Logs.small + ["?", "??", "???"])
        let ran = replay("check", "--max-findings=2", "a", on: TestHost(["a": text]), rules: [])
        #expect(ran.lines.count == 2)
        #expect(
            ran.error.contains("3 not understood, 0 blank (the first 2 diagnostics shown); "),
            "\(ran.error)")
        let all = replay("check", "--max-findings=3", "a", on: TestHost(["a": text]), rules: [])
        #expect(all.lines.count == 3 && !all.error.contains("shown"))
    }

    @Test func `colours and progress are for terminals alone`() {
        func output(_ set: (TestHost) -> Void) -> (output: String, error: String) {
            let host = host
            set(host)
            _ = Tool.run(["check", "logs"], on: host, rules: rules)
            return (host.output, host.error)
        }
        #expect(!output { _ in }.output.contains("\u{1B}"))
        #expect(output { $0.terminals = [.output] }.output.contains("\u{1B}[1;31merror\u{1B}[0m"))
        let refused = output {
            $0.terminals = [.output]
            $0.variables = ["NO_COLOR": "1"]
        }
        #expect(!refused.output.contains("\u{1B}"))
        let slow = output {
            $0.terminals = [.error]
            $0.elapsed = .seconds(3)
        }
        #expect(!slow.output.contains("\u{1B}"))
        #expect(slow.error.contains("MB/s") && slow.error.contains("\r\u{1B}[K"))
        let dumb = output {
            $0.terminals = [.error]
            $0.elapsed = .seconds(3)
            $0.variables = ["TERM": "dumb"]
        }
        #expect(dumb.error.contains("MB/s") && dumb.error.contains("  \r"))
        #expect(!dumb.error.contains("\u{1B}"))
    }

    @Test func `what comes from a log can't drive a terminal`() {
        let hostile = "t\\u202e\\u001b"
        let lines =
            Logs.small.map { $0.replacingOccurrences(of: "\"a1\"", with: "\"a\u{202E}1\"") }
            + [#"{"seq":8,"at":"2026-01-01T09:00:00Z","type":"\#(hostile)"}"#, "\u{1B}]0;x\u{7}"]
        let text = Logs.text(lines)
        let path = "a\u{1B}[2J.jsonl"
        for command in [
            ["check", "--format=text"], ["check", "--format=json"], ["check", "--format=sarif"],
            ["check", "--format=github"], ["show", "all"], ["show", "all", "--format=json"],
            ["explain", "t1"], ["explain", "t1", "--format=json"], ["stats"],
        ] {
            let host = TestHost([path: text])
            _ = Tool.run(command + [path], on: host, rules: RuleCatalogue.all + rules)
            let unsafe = (host.output + host.error).unicodeScalars.filter {
                EscapedText.isUnsafe($0) && $0 != "\n" && $0 != "\t"
            }
            #expect(unsafe.isEmpty, "\(command)")
            #expect(!host.output.isEmpty)
        }
    }

    @Test func `GitHub's own marks are escaped`() {
        #expect(RemarkGitHub.message("100 %\r\n::error::") == "100 %25%0D%0A::error::")
        #expect(RemarkGitHub.property("a:b,c%") == "a%3Ab%2Cc%25")
    }
}
