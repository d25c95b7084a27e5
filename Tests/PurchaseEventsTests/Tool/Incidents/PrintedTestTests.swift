import Foundation
import TestSupport
import Testing

@testable import replay

struct PrintedTestTests {
    /// The tests compile and run `PrintedTest.swift`, so what the tool prints compiles and passes.
    @Test func `a test of this package is what the tool prints`() throws {
        let path = "events/regressions/finished-implies-delivered.jsonl"
        let host = try TestHost(ofPackage: path)
        let name = "a purchase that was finished undelivered is found"
        #expect(Tool.run(["test", path, "--name=\(name)"], on: host) == .well)
        let file = Folders.root.appending(path: "Tests/IncidentTests/Regressions/PrintedTest.swift")
        #expect(try GoldenFile.text(at: file, for: host.output) == host.output)
    }

    @Test func `a log and its answers are added to a folder, each time under an unused name`()
        throws
    {
        let path = "events/violations/finished-implies-delivered.jsonl"
        let host = try TestHost(ofPackage: path)
        for _ in 0..<2 { #expect(replay("test", path, "--append-to=d", on: host).status == .well) }
        let rule = "finished-implies-delivered"
        let wrote = ["d/\(rule)", "d/\(rule)-2"].map { "replay: wrote \($0).jsonl and .expected\n" }
        #expect(host.error == wrote.joined())
        replay("test", path, "--append-to=d", "--name=Ann's 2 coins, lost", on: host)
        for name in [rule, "\(rule)-2", "ann-s-2-coins-lost"] {
            #expect(host.files["d/\(name).jsonl"] == host.files[path])
            let answers = String(decoding: host.files["d/\(name).expected"] ?? [], as: UTF8.self)
            #expect(answers.contains(rule), "\(name)")
        }
    }

    @Test(arguments: [
        "a`b", "a\\b", "a\nb", "???", "..", "$0", "$a b", "  ", "a\u{A0}b", "a\u{3000}b",
        "a\u{2028}b", "a\u{85}b", "a\u{202E}b", "//",
    ])
    func `a sentence that can't be a name is refused`(_ name: String) {
        let ran = replay("test", "log", "--name=\(name)", on: TestHost(["log": ""]))
        #expect(ran.status == .usage)
        #expect(ran.error.contains("expected a sentence that can name a Swift function"))
        #expect(ran.output.isEmpty)
    }

    @Test(arguments: ["init", "3 coins", "is it?", "a // b", "…日本", "costs $0", "a.b"])
    func `any other sentence is a name`(_ name: String) throws {
        let path = "events/violations/finished-implies-delivered.jsonl"
        let ran = replay("test", path, "--name=\(name)", on: try TestHost(ofPackage: path))
        #expect(ran.status == .well && ran.output.contains("@Test func `\(name)`() throws {"))
    }
}
