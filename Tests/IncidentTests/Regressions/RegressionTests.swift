import Foundation
import PurchaseEvents
import PurchaseIncidents
import TestSupport
import Testing

/// The logs in `events/regressions` give the results in their `.expected` files.
struct RegressionTests {
    private static let folder = Folders.events.appending(path: "regressions")

    static var names: [String] {
        Folders.files(in: folder, "jsonl").map { $0.deletingPathExtension().lastPathComponent }
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
