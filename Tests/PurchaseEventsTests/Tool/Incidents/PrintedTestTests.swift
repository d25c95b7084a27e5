import Foundation
import TestSupport
import Testing

@testable import replay

@Suite struct PrintedTestTests {
    /// The tests compile and run `PrintedTest.swift`, so what the tool prints compiles and passes.
    @Test func `a test of this package is what the tool prints`() throws {
        let path = "events/regressions/finished-implies-delivered.jsonl"
        let host = try TestHost(ofPackage: path)
        let name = "a purchase that was finished undelivered is found"
        #expect(Tool.run(["test", path, "--name=\(name)"], on: host) == .well)
        let file = Folders.root.appending(path: "Tests/IncidentTests/Regressions/PrintedTest.swift")
        #expect(try GoldenFile.text(at: file, for: host.output) == host.output)
    }
}
