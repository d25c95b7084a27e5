import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DownloadsMoveForwardTests {
    @Test func `each download event is a test`() throws {
        let history = Timeline(
            """
            delivery.download transaction=t1 download=d1 state=finished
            delivery.download transaction=t1 download=d1 state=active
            """)
        let report = try history.reports([DownloadsMoveForward.self])[0].report
        #expect(report.tested == 2)
        let finding = try #require(report.findings.first)
        #expect(
            finding.message
                == "download d1 of transaction t1 is active after it was finished: expected "
                + "it not to change again")
        #expect(finding.notes.map(\.line) == [2])
    }
}
