import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishedOnceTests {
    @Test func `a second finish without a presentation is found`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.finished transaction=t1 ← finished-once
            queue.finished transaction=t1 ← finished-once
            """
        ).expectPinned(FinishedOnce.self)
    }

    @Test func `a repeated presentation may be finished again`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.restored transaction=t1 original=t0
            queue.finished transaction=t1
            queue.finished transaction=t1 ← finished-once
            """
        ).expectPinned(FinishedOnce.self)
    }

    @Test func `each device finishes what it was shown`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 device=phone
            queue.purchased transaction=t1 device=tablet
            queue.purchased transaction=t1 device=watch
            queue.finished transaction=t1 device=tablet
            queue.finished transaction=t1 device=phone
            queue.finished transaction=t1 device=phone ← finished-once
            queue.finished transaction=t1 device=watch
            """
        ).expectPinned(FinishedOnce.self)
    }

    @Test func `the first finish by a device that was not shown the entry closes it`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 device=phone
            queue.finished transaction=t1 device=tablet
            queue.finished transaction=t1 device=phone ← finished-once
            """
        ).expectPinned(FinishedOnce.self)
    }

    @Test func `each failure of a payment is finished once`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=network
            queue.failed payment=p1 error=network
            queue.finished payment=p1
            queue.finished payment=p1
            queue.finished payment=p1 ← finished-once
            queue.failed payment=p1 error=network
            queue.finished payment=p1
            """
        ).expectPinned(FinishedOnce.self)
    }

    @Test func `a payment that waits is left to finish-only-at-the-end`() throws {
        let history = Timeline(
            """
            payment.requested payment=p1
            queue.finished payment=p1
            queue.finished payment=p1
            """)
        #expect(try history.verdict(FinishedOnce.self) == .holds)
    }

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

    @Test func `a log that starts in the middle may miss a presentation or a failure`() throws {
        let history = Timeline(
            """
            unopened
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishedOnce.self) == .undetermined)
    }

    @Test func `only a line between two finishes may hide a presentation`() throws {
        try Timeline(
            """
            not a line of this log
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.finished transaction=t1 ← finished-once
            not a line of this log
            queue.finished transaction=t1
            """
        ).expectPinned(FinishedOnce.self)
    }

    @Test func `a failure may lie before the log starts`() throws {
        let history = Timeline(
            """
            unopened
            queue.failed payment=p1 error=network
            queue.finished payment=p1
            queue.finished payment=p1
            """)
        #expect(try history.verdict(FinishedOnce.self) == .undetermined)
    }

    @Test func `a purchase finished by its payment is not finished by its transaction again`()
        throws
    {
        try Timeline(
            """
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.finished payment=p1
            queue.finished transaction=t1 ← finished-once
            """
        ).expectPinned(FinishedOnce.self)
    }

    @Test func `a finish by payment ends the payment's oldest open purchase`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.purchased transaction=t2 payment=p1
            delivery.delivered transaction=t1
            queue.finished payment=p1
            queue.finished payment=p1 ← finished-implies-delivered
            queue.finished transaction=t2 ← finished-once
            """
        ).expectPinned(FinishedOnce.self, FinishedImpliesDelivered.self)
    }
}
