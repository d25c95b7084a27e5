import PurchaseEvents
import TestSupport
import Testing

@testable import replay

@Suite(.enabled(if: Fixtures.exist("verify-receipt"), "\(Fixtures.missing)"))
struct ImportRunFixtureTests {
    @Test(arguments: [
        "notifications-v1/imdhemy-server-notification.json",
        "verify-receipt/imdhemy-verify-receipt-response.json",
        "verify-receipt/revenuecat-sample1.json",
    ])
    func `real data is imported and checks well`(_ name: String) throws {
        let host = try TestHost(bytes: ["data": Fixtures.bytes(name)])
        #expect(Tool.run(["import", "app-store", "data"], on: host) == .well)
        let checked = TestHost()
        checked.input = host.outputBytes
        #expect(Tool.run(["check", "-"], on: checked) == .well, "\(checked.output)")
    }
}
