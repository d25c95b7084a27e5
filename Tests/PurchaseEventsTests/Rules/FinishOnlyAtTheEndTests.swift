import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishOnlyAtTheEndTests {
    @Test func `each finish of an entry that the log shows is a test`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            payment.requested payment=p1
            queue.finished payment=p1
            """)
        let report = try history.reports([FinishOnlyAtTheEnd.self])[0].report
        #expect(report.tested == 2)
        #expect(report.findings.first?.notes.map(\.line) == [4])
        #expect(report.findings.first?.key == "p1")
    }
}
