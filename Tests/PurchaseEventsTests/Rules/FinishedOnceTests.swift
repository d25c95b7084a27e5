import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishedOnceTests {
    @Test func `each finish is a test`() throws {
        let history = Timeline(
            """
            queue.finished transaction=t1
            queue.failed payment=p1 error=cancelled
            queue.finished payment=p1
            queue.finished payment=p1
            """)
        let report = try history.reports([FinishedOnce.self])[0].report
        #expect(report.tested == 3)
        let finding = try #require(report.findings.first)
        #expect(
            finding.message == "payment p1 was finished again: expected one finish for each failure"
        )
        #expect(finding.notes.map(\.line) == [3, 4])
    }

    @Test func `the finding points at the finish before`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.finished transaction=t1
            """)
        let report = try history.reports([FinishedOnce.self])[0].report
        #expect(report.findings.map(\.line) == [6])
        #expect(report.findings.first?.notes.map(\.line) == [2, 5])
    }
}
