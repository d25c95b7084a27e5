import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct InstalledAfterDownloadTests {
    @Test func `each finish with finished downloads is a test`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=finished
            queue.finished transaction=t1
            delivery.installed transaction=t2 place=system
            queue.purchased transaction=t2
            delivery.download transaction=t2 download=d1 state=finished
            queue.finished transaction=t2
            queue.purchased transaction=t3
            queue.finished transaction=t3
            """)
        let report = try history.reports([InstalledAfterDownload.self])[0].report
        #expect(report.tested == 2)
        #expect(report.findings.map(\.line) == [4, 8])
        #expect(report.findings.first?.notes.map(\.line) == [2, 3])
    }
}
