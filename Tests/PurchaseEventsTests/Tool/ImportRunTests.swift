import Foundation
import PurchaseEvents
import Testing

@testable import replay

@Suite struct ImportRunTests {
    private static let hasFixtures = FileManager.default.fileExists(
        atPath: Folders.fixtures.path(percentEncoded: false))

    @Test(
        .enabled(if: hasFixtures, "the App Store data beside the project is missing"),
        arguments: [
            "notifications-v1/imdhemy-server-notification.json",
            "verify-receipt/imdhemy-verify-receipt-response.json",
            "verify-receipt/revenuecat-sample1.json",
        ])
    func `real data is imported and checks well`(_ name: String) throws {
        let host = TestHost()
        host.files["data"] = try Folders.bytes(of: Folders.fixtures.appending(path: name))
        #expect(Tool.run(["import", "app-store", "data"], on: host) == .well)
        let checked = TestHost()
        checked.input = host.outputBytes
        #expect(Tool.run(["check", "-"], on: checked) == .well, "\(checked.output)")
    }

    @Test func `what can't be mapped is told and gives status 2`() {
        let ran = replay("import", "app-store", "a", on: TestHost(["a": "{}"]))
        #expect(ran.status == .undetermined)
        #expect(ran.output.isEmpty)
        #expect(ran.error.hasPrefix("a:1: error: "))
    }

    @Test func `files that can't be read are told`() {
        let missing = replay("import", "app-store", "a")
        #expect(missing.status == .noInput)
        let folder = replay("import", "app-store", "a", on: TestHost(["a/b": "{}"]))
        #expect(folder.error == "replay: `a` is a folder: expected a file\n")
        #expect(folder.status == .noInput)
        let secret = replay(
            "import", "app-store", "a", "--shared-secret-file=s",
            on: TestHost(["a": "{}", "s": "\n"]))
        #expect(secret.error == "replay: `s` is empty: expected the shared secret\n")
    }
}
