import Foundation
import Testing

@testable import replay

/// Properties that every command of the list must have.
struct CommandListTests {
    @Test func `every command, option, example and exit status is in the help`() throws {
        var text = replay("help").output
        for status in ToolStatus.allCases {
            #expect(text.contains("  \(status.rawValue)"))
            #expect(text.contains(status.meaning.prefix(30)))
        }
        for command in CommandCatalogue.all {
            #expect(text.contains(command.usage))
            let help = replay("help", command.name).output
            for option in command.allOptions { #expect(help.contains(option.usage)) }
            for (status, _) in command.exitStatuses {
                #expect(help.contains("  \(status.rawValue)"))
            }
            for example in command.examples { #expect(help.contains(example.line)) }
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 96 }, "\(command.name)")
        }
        for command in CommandCatalogue.all {
            text += "\n\(String(repeating: "=", count: 80))\n\n"
            text += replay("help", command.name).output
        }
        try expectGolden(text, "Tool/help.txt")
    }

    @Test func `every command has a name of its own and a summary of one line`() {
        let names = CommandCatalogue.all.map { $0.name }
        #expect(Set(names).count == names.count)
        for command in CommandCatalogue.all {
            #expect(!command.summary.isEmpty && !command.summary.contains("\n"))
            #expect(!command.summary.hasSuffix("."))
            #expect(command.operands.dropLast().allSatisfy { !$0.repeats })
            let options = command.allOptions.map(\.name)
            #expect(Set(options).count == options.count, "\(command.name)")
        }
    }

    @Test(arguments: CommandCatalogue.all.map { $0.name })
    func `every example of a command ends with the status that it names`(_ name: String) throws {
        let command = try CommandCatalogue.named(name)
        #expect(!command.examples.isEmpty)
        let folder = try TemporaryFolder()
        for example in command.examples {
            var files = try ShellLine.files()
            var text = example.line
            if text.contains("--follow") {
                // Following works on files of the system alone.
                let path = folder.path + "/purchases.jsonl"
                try Data(files["purchases.jsonl"] ?? []).write(to: URL(filePath: path))
                text = text.replacing("purchases.jsonl", with: path)
            }
            let line = ShellLine(text)
            #expect(line.isRunnable, "\(text)")
            let ran = try line.run(on: &files)
            #expect(ran.status == example.status, "\(text): \(ran.error)")
            let last = try CommandCatalogue.named(line.command)
            #expect(last.exitStatuses.contains { $0.status == ran.status })
        }
    }

    @Test(arguments: CommandCatalogue.all.map { $0.name })
    func `a command without what it needs says what is missing`(_ name: String) throws {
        let command = try CommandCatalogue.named(name)
        let ran = replay(name)
        let needs = command.operands.contains { !$0.isOptional }
        #expect(ran.status == (needs ? .usage : .well))
        if needs { #expect(ran.error.hasPrefix("replay: `replay \(name)` needs "), "\(ran.error)") }
        let unknown = replay(name, "--no-such-option")
        #expect(unknown.status == .usage)
        #expect(unknown.error.contains("unknown option `--no-such-option`"))
        #expect(unknown.error.contains("replay help \(name)"))
    }

    @Test func `the change log names every command`() throws {
        let file = Folders.root.appending(path: "CHANGELOG.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        for command in CommandCatalogue.all { #expect(text.contains(command.name)) }
    }
}
