import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishOnlyAtTheEndTests {
    @Test func `a requested, purchasing or deferred entry is not finished`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.finished payment=p1 ← finish-only-at-the-end
            queue.purchasing payment=p2
            queue.finished payment=p2 ← finish-only-at-the-end
            queue.deferred payment=p3
            queue.finished payment=p3 ← finish-only-at-the-end
            """
        ).expectPinned(FinishOnlyAtTheEnd.self)
    }

    @Test func `a failed, purchased or restored entry is finished`() throws {
        let history = Timeline(
            """
            payment.requested payment=p1
            queue.purchasing payment=p1
            queue.failed payment=p1 error=cancelled
            queue.finished payment=p1
            payment.requested payment=p2
            queue.purchased payment=p2 transaction=t2
            queue.finished transaction=t2
            queue.restored transaction=t3 original=t2
            queue.finished transaction=t3
            payment.requested payment=p4
            queue.purchased payment=p4 transaction=t4
            queue.finished payment=p4
            """)
        #expect(try history.verdict(FinishOnlyAtTheEnd.self) == .holds)
    }

    @Test func `a failure may be finished while another request of its payment waits`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            payment.requested payment=p1
            queue.failed payment=p1 error=network
            queue.purchasing payment=p1
            queue.finished payment=p1
            queue.finished payment=p1 ← finish-only-at-the-end
            """
        ).expectPinned(FinishOnlyAtTheEnd.self)
    }

    @Test func `an entry that the log did not see begin is not judged`() throws {
        let history = Timeline(
            """
            queue.finished payment=p1
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishOnlyAtTheEnd.self) == .vacuous)
    }

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

    @Test func `a failure may lie before the log starts`() throws {
        let history = Timeline(
            """
            unopened
            payment.requested payment=p1
            queue.finished payment=p1
            """)
        #expect(try history.verdict(FinishOnlyAtTheEnd.self) == .undetermined)
    }

    @Test func `a line that was not understood may be the failure`() throws {
        let history = Timeline(
            """
            payment.requested payment=p1
            not a line of this log
            queue.finished payment=p1
            """)
        #expect(try history.verdict(FinishOnlyAtTheEnd.self) == .undetermined)
    }
}
