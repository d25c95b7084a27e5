import Foundation
import PurchaseEvents
import PurchaseIncidents
import Testing

/// The logs in `events/regressions` give the results in their `.expected` files.
@Suite struct RegressionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "events/regressions")

    static var names: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()
    }

    @Test func `there are regressions`() { #expect(RegressionTests.names.count >= 3) }

    @Test(arguments: names) func `a regression shows what it did`(_ name: String) throws {
        let folder = RegressionTests.folder
        let log = LogLines([UInt8](try Data(contentsOf: folder.appending(path: "\(name).jsonl"))))
        let expected = try String(
            contentsOf: folder.appending(path: "\(name).expected"), encoding: .utf8)
        #expect(try log.answers().joined(separator: "\n") + "\n" == expected)
    }
}
