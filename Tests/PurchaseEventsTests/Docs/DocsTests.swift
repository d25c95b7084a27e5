import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay
import PurchaseSimulation

/// The documents are true: their commands run, and the program prints the outputs they show.
struct DocsTests {
    /// The documents, by their paths from the package's root.
    private static let documents: [String] =
        [
            "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md",
            "RELIABILITY.md", "events/README.md", "Benchmarks/README.md",
        ]
        + ["docs", "docs/rules"].flatMap { folder in
            Folders.files(in: Folders.root.appending(path: folder), "md").map { file in
                "\(folder)/\(file.lastPathComponent)"
            }
        }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Folders.root.appending(path: path), encoding: .utf8)
    }

    /// The commands in the console blocks of a document, each with the output shown there.
    private static func commands(_ document: String) throws -> [(command: String, output: String)] {
        var all: [(command: String, output: String)] = []
        var isConsole = false
        for line in try text(document).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isConsole, line.hasPrefix("$ ") {
                all.append((String(line.dropFirst(2)), ""))
            } else if isConsole, !all.isEmpty {
                all[all.count - 1].output += line + "\n"
            }
        }
        return all
    }

    @Test(arguments: ["README.md", "docs/agents.md", "docs/refund-requests.md"])
    func `every output was printed by the tool`(_ document: String) throws {
        var files = try ShellLine.files()
        var count = 0
        for (command, output) in try DocsTests.commands(document) {
            guard ShellLine(command).isRunnable else { continue }
            let ran = try ShellLine(command).run(on: &files)
            #expect(ran.output == output, "\(command): \(ran.error)")
            count += 1
        }
        #expect(count >= (document == "docs/refund-requests.md" ? 3 : 7))
    }

    /// `Tests/walk` compares the outputs, on the large log, with a release build.
    @Test func `each command of the walk through an incident is one of the tool`() throws {
        var files = try ShellLine.files()
        for (command, _) in try DocsTests.commands("docs/incident.md") {
            guard command.hasPrefix("replay ") else { continue }
            let line = ShellLine(command.replacing("--events=200000", with: "--events=20"))
            let ran = try line.run(on: &files)
            #expect(ran.status != .usage, "\(command): \(ran.error)")
        }
        let page = try DocsTests.text("docs/incident.md")
        let incident = CommandCatalogue.groups.first { $0.title == "Work on an incident" }
        for command in try #require(incident).commands {
            #expect(page.contains("replay \(command.name) "), "\(command.name)")
        }
        #expect(try DocsTests.text(".ci/run").contains("Tests/walk \"$replay\""))
    }

    @Test func `the continuous integration runs the queries and validates by the schemas`() throws {
        let script = try DocsTests.text(".ci/run")
        for name in ["Tests/sql", "Tests/schema"] {
            #expect(script.contains("\(name) \"$replay\""))
        }
        for (command, _) in try DocsTests.commands("docs/sql.md")
        where command.hasPrefix("replay ") {
            #expect(ShellLine(command).isRunnable, "\(command)")
        }
    }

    @Test(arguments: ["README.md", "Benchmarks/README.md"])
    func `every other command is run by the continuous integration`(_ document: String) throws {
        let script = try DocsTests.text(".ci/run")
        for (command, _) in try DocsTests.commands(document)
        where !ShellLine(command).isRunnable {
            #expect(script.contains(command), "\(command)")
        }
    }

    @Test func `every command of CONTRIBUTING is run by the continuous integration`() throws {
        let script = try DocsTests.text(".ci/run")
        let rows = try DocsTests.text("CONTRIBUTING.md").split(separator: "\n")
            .filter { $0.hasPrefix("| ") && $0.contains("`") }
        #expect(rows.count >= 5)
        for row in rows {
            let command = row.split(separator: "`").dropFirst().first.map(String.init) ?? ""
            #expect(command == ".ci/run" || script.contains(command), "\(command)")
        }
    }

    @Test func `the examples of the README are those that the tests run`() throws {
        let readme = try DocsTests.text("README.md")
        let example = try DocsTests.text("Tests/PurchaseEventsTests/Docs/ReadmeExample.swift")
        let parts = example.components(separatedBy: "// The example begins.\n").dropFirst()
        #expect(parts.count == 2)
        for part in parts {
            let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
                .prefix { !$0.hasSuffix("// The example ends.") }
                .map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }
            #expect(lines.count >= 7)
            #expect(readme.contains(lines.joined(separator: "\n")))
        }
        let shop = try DocsTests.text("Tests/PurchaseEventsTests/Ledger/Shop.swift")
        let start = try #require(shop.range(of: "/// An app's observer"))
        let end = try #require(shop.range(of: "\n\n/// What an app needs"))
        #expect(readme.contains(shop[start.lowerBound..<end.lowerBound]))
    }

    @Test func `the README's property is one that the tests run`() throws {
        let file = "Tests/PropertyTests/Harness/ReadmePropertyTests.swift"
        let text = try DocsTests.text(file)
        let start = try #require(text.range(of: "// The example begins.\n"))
        let end = try #require(text.range(of: "\n// The example ends."))
        #expect(try DocsTests.text("README.md").contains(text[start.upperBound..<end.lowerBound]))
        #expect(PurchaseSimulation.Fault.allCases.count == 47)
    }

    @Test func `the README's ledger refuses to finish what isn't delivered`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: LedgerError.self) {
            try readmeExample(folder.log, Timestamp(milliseconds: 1_772_352_000_000))
        }
        #expect(error?.refusal?.rule == "finished-implies-delivered")
    }

    @Test func `the README's reading finds who paid and got nothing`() throws {
        let log = Folders.events.appending(path: "violations/finished-implies-delivered.jsonl")
        var printed: [[String]] = []
        try readmeReading(log.path(percentEncoded: false)) { words in
            printed.append(words.map { "\($0)" })
        }
        let found = try #require(printed.first { $0.first == "finished-implies-delivered" })
        #expect(found[1] == "4")
        #expect(printed.contains { $0.count == 1 })
    }

    @Test(arguments: documents)
    func `a link leads somewhere`(_ document: String) throws {
        let file = Folders.root.appending(path: document)
        let text = try DocsTests.text(document)
        for match in text.matches(of: /\]\(([^)#: ]+)(?:#[^)]*)?\)/) {
            let target = file.deletingLastPathComponent().appending(path: String(match.1))
            #expect(FileManager.default.fileExists(atPath: target.path), "\(match.1)")
        }
        for match in text.matches(of: /\]\(([^)#:]*)#([^)]+)\)/) {
            let name = String(match.1)
            let path = name.isEmpty ? file : file.deletingLastPathComponent().appending(path: name)
            let page = try String(contentsOf: path, encoding: .utf8)
            let anchors = page.split(separator: "\n").filter { $0.hasPrefix("#") }.map { heading in
                heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                    .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            }
            #expect(anchors.contains(String(match.2)), "\(match.0)")
        }
    }

    @Test func `events README lists every log with its verdict`() throws {
        let rows = try DocsTests.text("events/README.md").split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == 3 && $0[0].hasSuffix(".jsonl") }
        let listed = Dictionary(grouping: rows) { $0[0] }
        for folder in ["valid", "malformed", "violations"] {
            for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
                let name = file.lastPathComponent
                let verdicts = (listed[name] ?? []).map { $0[2] }
                #expect(
                    verdicts.contains(try DocsTests.verdict(folder, file)),
                    "\(folder)/\(name): \(verdicts)")
            }
        }
    }

    /// The verdict on a sample, in the words of events/README.md.
    private static func verdict(_ folder: String, _ file: URL) throws -> String {
        let host = try TestHost(bytes: ["log.jsonl": Folders.bytes(of: file)])
        let status = Tool.run(["check", "log.jsonl"], on: host)
        let name = file.deletingPathExtension().lastPathComponent
        let mark = "[\(name)]"
        if folder == "valid" { return "status \(status.rawValue)" }
        return host.output.contains(mark)
            ? "status \(status.rawValue), \(name)" : "status \(status.rawValue)"
    }
}
