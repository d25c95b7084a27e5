import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishedImpliesDownloadedTests {
    @Test func `the finding points at each open download`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=active
            delivery.download transaction=t1 download=d2 state=active
            delivery.download transaction=t1 download=d3 state=finished
            delivery.download transaction=t1 download=d1 state=paused
            queue.finished transaction=t1
            """)
        let finding = try #require(
            history.reports([FinishedImpliesDownloaded.self])[0].report.findings.first)
        #expect(finding.notes.map(\.line) == [2, 4, 6])
        #expect(finding.message.contains("while 2 of its downloads had not ended"))
    }

    @Test func `an exception may be missing`() throws {
        for text in ["unopened\n", "what is this\n"] {
            let history = Timeline(
                text + """
                    queue.purchased transaction=t1
                    delivery.download transaction=t1 download=d1 state=active
                    queue.finished transaction=t1
                    """)
            #expect(try history.verdict(FinishedImpliesDownloaded.self) == .undetermined)
        }
    }
}
