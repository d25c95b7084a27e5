import Foundation
import Testing

@testable import PurchaseProjections
@testable import replay

/// The tool contains the samples of events/violations as source code, so that it needs no files.
@Suite struct ViolationSampleTests {
    private static let tables: [(name: String, rules: [any Rule.Type])] = [
        ("delivery", RuleCatalogue.delivery), ("queue", RuleCatalogue.queue),
        ("receipt", RuleCatalogue.receipt), ("subscription", RuleCatalogue.subscription),
        ("log", RuleCatalogue.log),
    ]

    @Test func `the samples in the sources are those of events`() throws {
        let folder = Folders.root.appending(path: "Sources/replay/Samples")
        let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil
        for (name, rules) in ViolationSampleTests.tables {
            let file = folder.appending(path: "\(name.capitalized)Samples.swift")
            let source = try ViolationSampleTests.source(of: name, rules)
            if isUpdating { try source.write(to: file, atomically: true, encoding: .utf8) }
            #expect(
                try String(contentsOf: file, encoding: .utf8) == source,
                "UPDATE_GOLDEN=1 swift test writes Samples/\(file.lastPathComponent) anew")
        }
    }

    @Test(arguments: RuleCatalogue.all.map { $0.id })
    func `the tool shows the sample of a rule`(_ id: String) throws {
        let file = Folders.events.appending(path: "violations/\(id).jsonl")
        let lines = ViolationSamples.log(of: id) ?? []
        let bytes = lines.flatMap { line in Array(line.utf8) + [UInt8(0x0A)] }
        #expect(try bytes == Folders.bytes(of: file))
    }

    private static func source(of table: String, _ rules: [any Rule.Type]) throws -> String {
        var text = """
            // swift-format-ignore-file
            // Written from events/violations by `UPDATE_GOLDEN=1 swift test`.
            extension ViolationSamples {
                /// The samples of the table `\(table)`.
                static let \(table): [String: String] = [

            """
        for rule in rules {
            let file = Folders.events.appending(path: "violations/\(rule.id).jsonl")
            let log = String(decoding: try Folders.bytes(of: file), as: UTF8.self)
            text += "        \"\(rule.id)\": #\"\"\"\n"
            for line in log.split(separator: "\n") {
                var rest = line[...]
                while rest.count > 82 {
                    text += "            \(rest.prefix(82))\\#\n"
                    rest = rest.dropFirst(82)
                }
                text += "            \(rest)\n"
            }
            text += "            \"\"\"#,\n"
        }
        return text + (rules.isEmpty ? "        :\n" : "") + "    ]\n}\n"
    }
}
