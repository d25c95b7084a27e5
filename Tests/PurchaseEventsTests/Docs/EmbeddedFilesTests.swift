import Foundation
import PurchaseProjections
import TestSupport
import Testing

@testable import replay

/// The tool contains the texts of some files of the project, so that it needs no files. They are
/// string literals, because a resource that the build embeds becomes a literal of bytes, and those
/// of all these files took 20 s to compile.
struct EmbeddedFilesTests {
    private static let texts = [
        ("commands", "Help/commands.txt"), ("evidence", "Help/evidence.txt"),
        ("bash", "Help/Completion/Scripts/replay.bash"),
        ("fish", "Help/Completion/Scripts/replay.fish"),
        ("zsh", "Help/Completion/Scripts/replay.zsh"),
        ("style", "Report/Page/page.css"), ("script", "Report/Page/page.js"),
    ]

    @Test func `the embedded texts are those of the files`() throws {
        let folder = Folders.root.appending(path: "Sources/replay")
        let texts = try EmbeddedFilesTests.texts.map { name, path in
            "    static let \(name) = \(try literal(folder.appending(path: path)))\n"
        }
        let samples = Folders.files(in: Folders.events.appending(path: "violations"), "jsonl")
        let logs = try samples.map { file in
            "        \"\(file.deletingPathExtension().lastPathComponent)\": \(try literal(file)),\n"
        }
        let text = """
            // swift-format-ignore-file

            /// The texts of the tool's files, which a test writes: see CONTRIBUTING.md.
            enum EmbeddedFiles {
            \(texts.joined())
                /// The smallest log that violates each rule, by rule.
                static let violations: [String: String] = [
            \(logs.joined())    ]
            }

            """
        let file = folder.appending(path: "Embedded/EmbeddedFiles.swift")
        let golden = try GoldenFile.text(at: file, for: text)
        #expect(golden == text, "EmbeddedFiles.swift isn't current: see CONTRIBUTING.md")
    }

    private func literal(_ file: URL) throws -> String {
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("\"#") && !text.contains("\\#"), "\(file)")
        return "#\"\(text.replacing("\n", with: "\\#n"))\"#"
    }

    @Test(arguments: RuleCatalogue.all.map { $0.id })
    func `the tool shows the sample of a rule`(_ id: String) throws {
        let file = Folders.events.appending(path: "violations/\(id).jsonl")
        let lines = RulesCommand.sample(of: id) ?? []
        let bytes = lines.flatMap { line in Array(line.utf8) + [UInt8(0x0A)] }
        #expect(try bytes == Folders.bytes(of: file))
    }
}
