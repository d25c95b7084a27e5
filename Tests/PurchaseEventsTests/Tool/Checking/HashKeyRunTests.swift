import Foundation
import Testing

/// Hash tables have another key in each process, and nothing that the tool prints depends on it.
struct HashKeyRunTests {
    /// What a process of the tool prints, and its status.
    private func run(_ arguments: [String]) throws -> String {
        let run = try #require(SystemTool([URL(filePath: ToolProcess.path)])).run(
            arguments, in: Folders.root.path(percentEncoded: false))
        // The time that the run took.
        return "\(run.output.replacing(/[0-9.]+ m?s\n/, with: "a while\n"))\nstatus \(run.status)"
    }

    private static func samples(_ folder: String) -> [String] {
        Folders.files(in: Folders.events.appending(path: folder), "jsonl")
            .map { "events/\(folder)/\($0.lastPathComponent)" }
    }

    private static let commands: [[String]] = {
        let (valid, violations) = (samples("valid"), samples("violations"))
        return [
            ["check"] + valid + violations, ["check", "--summary"] + violations,
            ["check", "--format=json"] + violations, ["check", "--format=sarif"] + violations,
            ["check", "--threads=2", "--max-findings=3"] + violations,
            ["show", "all"] + valid + violations, ["show", "all", "--format=json"] + valid,
            ["stats"] + valid + violations, ["merge"] + valid,
        ]
    }()

    @Test(.enabled(if: ToolProcess.isBuilt, "the tool is not built"), arguments: commands)
    func `two processes print the same on all samples`(_ command: [String]) throws {
        let first = try run(command)
        for _ in 0..<2 { #expect(try run(command) == first) }
    }

    @Test(.enabled(if: ToolProcess.isBuilt, "the tool is not built"))
    func `two processes print the same on a long log with faults`() throws {
        let folder = try TemporaryFolder()
        let log = folder.path + "/log.jsonl"
        let generated = try run(["generate", "--seed=3", "--events=3000", "--faults=all"])
        let lines = generated.split(separator: "\n").filter { $0.hasPrefix("{") }
        try folder.write(lines.joined(separator: "\n") + "\n", to: log)
        let names = [/"account":"([^"]+)"/, /"transaction":"([^"]+)"/].compactMap { pattern in
            generated.firstMatch(of: pattern).map { String($0.1) }
        }
        #expect(names.count == 2)
        let commands = [
            ["check"], ["check", "--summary"], ["check", "--max-findings=5"], ["show", "all"],
            ["stats"], ["report", "--to=-"], ["changes", "entitlements"], ["changes", "pending"],
            ["diff", "events/valid/consumable-bought.jsonl"],
        ]
        for command in commands + names.map({ ["explain", $0] }) {
            let first = try run(command + [log])
            for _ in 0..<2 { #expect(try run(command + [log]) == first, "\(command)") }
        }
    }
}
