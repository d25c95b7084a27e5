import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct NothingAfterFinishTests {
    @Test func `each finished transaction is one test`() throws {
        let history = Timeline(
            """
            queue.finished transaction=t1
            queue.finished transaction=t1
            queue.finished transaction=t2
            queue.finished payment=p1
            """)
        let report = try history.reports([NothingAfterFinish.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
