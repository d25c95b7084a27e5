import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

struct CheckOutputTests {
    /// The small log, with a line that is not understood and a line with an unknown key.
    private var host: TestHost {
        var lines = Logs.small
        lines.insert("{\"seq\":", at: 3)
        lines[2] = lines[2].replacingOccurrences(of: "{", with: "{\"colour\":1,")
        return TestHost(["logs/a b,c.jsonl": Logs.text(lines)])
    }

    private func check(_ arguments: String...) -> Ran {
        let host = host
        let rules = ["sequence-unbroken", "account-opaque", "finished-implies-persisted"]
        return replay(
            ["check"] + rules.map { "--rule=\($0)" } + arguments + ["logs/a b,c.jsonl"], on: host)
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
        let log = TestHost(["a": Logs.text(Logs.small)])
        let empty = replay("check", "--format=sarif", "a", on: log, rules: [])
        #expect(empty.error.contains("; 0 rules: 0 hold; "))
        #expect(try JSONSerialization.jsonObject(with: Data(empty.output.utf8)) is [String: Any])
    }

    @Test func `colours and progress are for terminals alone`() {
        func output(_ set: (TestHost) -> Void) -> (output: String, error: String) {
            let host = host
            set(host)
            _ = Tool.run(["check", "logs"], on: host)
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

    @Test func `GitHub's own marks are escaped`() {
        #expect(RemarkGitHub.message("100 %\r\n::error::") == "100 %25%0D%0A::error::")
        #expect(RemarkGitHub.property("a:b,c%") == "a%3Ab%2Cc%25")
    }
}
