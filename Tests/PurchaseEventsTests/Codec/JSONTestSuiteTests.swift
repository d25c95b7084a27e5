import Foundation
import Testing

@testable import PurchaseEvents

private let suiteFiles = Folders.files(
    in: Folders.fixtures.appending(path: "json-test-suite/test_parsing"), "json")

/// Compares the decoder with Nicolas Seriot's JSONTestSuite: each file is one line.
@Suite(.enabled(if: !suiteFiles.isEmpty, "the JSONTestSuite isn't beside the project"))
struct JSONTestSuiteTests {
    private func outcomes(_ prefix: String) throws -> [(name: String, outcome: String)] {
        try suiteFiles.filter { $0.lastPathComponent.hasPrefix(prefix) }.map {
            ($0.lastPathComponent, Decoded(try Folders.bytes(of: $0)).outcome)
        }
    }

    @Test func `files that must be accepted are JSON`() throws {
        let files = try outcomes("y_")
        #expect(files.count == 95)
        for (name, outcome) in files {
            #expect(
                ["not-an-object", "missing-key", "duplicate-key"].contains(outcome),
                "\(name): \(outcome)")
        }
    }

    @Test func `files that must be refused are neither events nor JSON`() throws {
        let files = try outcomes("n_")
        #expect(files.count == 188)
        for (name, outcome) in files {
            let isRefused = ["not-json", "not-utf8", "line-too-long", "blank"].contains(outcome)
            #expect(isRefused, "\(name): \(outcome)")
        }
    }

    @Test func `files that may be either never trap`() throws {
        for (name, outcome) in try outcomes("i_") { #expect(outcome != "event", "\(name)") }
    }
}
