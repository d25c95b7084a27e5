import Foundation
import PurchaseProjections
import PurchaseSimulation
import Testing

@testable import replay

struct CompletionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes the script of a shell to a file in the folder.
    private func script(_ shell: Shell) throws -> String {
        let path = "\(folder.path)/replay.\(shell.rawValue)"
        try folder.write(replay("completions", shell.rawValue).output, to: path)
        return path
    }

    @Test(arguments: Shell.allCases)
    func `every command, option and value of the help is in the script`(_ shell: Shell) {
        let text = replay("completions", shell.rawValue).output
        for command in CommandCatalogue.all {
            #expect(text.contains(command.name))
            for option in command.allOptions {
                let dashes = shell == .fish ? "-l " : "--"
                #expect(text.contains(dashes + option.name), "\(command.name) \(option.name)")
            }
            let values = command.allOptions.map(\.values) + command.operands.map(\.values)
            for word in values.flatMap(\.words) { #expect(text.contains(word)) }
        }
        for rule in RuleCatalogue.all { #expect(text.contains(rule.id)) }
        for fault in Fault.allCases { #expect(text.contains(fault.name)) }
        #expect(text.contains("version"))
    }

    @Test(arguments: Shell.allCases.filter { SystemTool.isInstalled($0.rawValue) })
    func `the script of an installed shell has no error of syntax`(_ shell: Shell) throws {
        let program = try #require(SystemTool(shell.rawValue))
        let ran = try program.run(["-n", script(shell)], in: folder.path)
        #expect(ran.status == 0 && ran.output.isEmpty, "\(ran.output)")
    }

    /// Command lines split as bash splits them, with the last word unfinished, and the expected
    /// completions.
    private static let lines: [(words: [String], completions: [String])] = [
        (["ex"], ["explain"]),
        (["--v"], ["--version"]),
        (["check", "--str"], ["--strict"]),
        (["check", "--format", "=", "js"], ["json"]),
        (["check", "--format", "="], ["text", "json", "sarif", "github"]),
        (["check", "--format=j"], ["--format=json"]),
        (["check", "--format", "sa"], ["sarif"]),
        (["check", "--strict", "some"], ["some log.jsonl"]),
        (["check", "--account", ""], []),
        (["rules", "clock"], ["clock-goes-forward"]),
        (["rules", "clock-goes-forward", ""], []),
        (["show", "--format", "json", "en"], ["entitlements"]),
        (["show", "--format", "=", "json", "en"], ["entitlements"]),
        (["show", "pending", "some"], ["some log.jsonl"]),
        (
            ["generate", "--faults", "=", "finishes-twice,delivers-tw"],
            ["finishes-twice,delivers-twice"]
        ),
        (["help", "comp"], ["completions"]),
        (["completions", ""], Shell.allCases.map(\.rawValue)),
        (["no-such-command", ""], []),
    ]

    @Test(.enabled("skipped where there is no bash") { SystemTool.isInstalled("bash") })
    func `bash completes commands, options, values and files`() throws {
        let bash = try #require(SystemTool("bash"))
        let path = try script(.bash)
        try folder.write("", to: folder.path + "/some log.jsonl")
        for (words, completions) in CompletionTests.lines {
            let quoted = (["replay"] + words).map { "'\($0)'" }.joined(separator: " ")
            let program = """
                source \(path); COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); _replay
                for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done
                """
            let ran = try bash.run(["--norc", "-c", program], in: folder.path)
            let offered = ran.output.split(separator: "\n").map(String.init)
            #expect(offered == completions, "\(words)")
        }
    }

    @Test(.enabled("skipped where there is no fish") { SystemTool.isInstalled("fish") })
    func `fish completes commands, options and values`() throws {
        let fish = try #require(SystemTool("fish"))
        let path = try script(.fish)
        for (line, completion) in [
            ("replay ex", "explain"), ("replay check --str", "--strict"),
            ("replay check --format=js", "--format=json"), ("replay show --format json en", "ent"),
            ("replay show pending replay.f", "replay.fish"),
        ] {
            let program = "source \(path); complete -C '\(line)'"
            let ran = try fish.run(["--no-config", "-c", program], in: folder.path)
            #expect(ran.output.hasPrefix(completion), "\(line): \(ran.output)")
        }
    }

    @Test func `an option takes a value in every command that has it, or in none`() {
        // The script for fish lists every option with a value in one place.
        let options = CommandCatalogue.all.flatMap { $0.allOptions }
        for (name, same) in Dictionary(grouping: options, by: \.name) {
            #expect(Set(same.map { $0.value == nil }).count == 1, "\(name)")
        }
    }
}
