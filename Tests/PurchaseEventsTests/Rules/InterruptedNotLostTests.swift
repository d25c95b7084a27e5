import Testing

@testable import PurchaseProjections

@Suite struct InterruptedNotLostTests {
    @Test func `an interrupted payment that is never heard of again is lost`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=interrupted ← interrupted-not-lost
            queue.finished payment=p1
            """
        ).expectPinned(InterruptedNotLost.self)
    }

    @Test func `a purchase settles the failure, with or without its payment`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=songs account=a
            queue.failed payment=p1 error=interrupted
            payment.requested payment=p2 product=songs account=a
            queue.failed payment=p2 error=interrupted
            queue.purchased transaction=t1 payment=p2 product=songs account=a
            queue.purchased transaction=t2 product=songs account=a
            """
        ).expectPinned(InterruptedNotLost.self)
    }

    @Test func `one purchase settles one failure, the oldest`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=songs account=a
            queue.failed payment=p1 error=interrupted
            payment.requested payment=p2 product=songs account=a
            queue.failed payment=p2 error=interrupted ← interrupted-not-lost
            queue.purchased transaction=t1 product=songs account=a
            app.launched
            queue.purchased transaction=t1 product=songs account=a
            """
        ).expectPinned(InterruptedNotLost.self)
    }

    @Test
    func `a purchase that was requested, of another product or account, or earlier, is no match`()
        throws
    {
        try Timeline(
            """
            queue.purchased transaction=t0 product=songs account=a
            payment.requested payment=p1 product=songs account=a
            queue.failed payment=p1 error=interrupted ← interrupted-not-lost
            payment.requested payment=p2 product=songs account=a
            queue.purchased transaction=t1 payment=p2 product=songs account=a
            queue.purchased transaction=t2 product=coins account=a
            queue.purchased transaction=t3 product=songs account=b
            """
        ).expectPinned(InterruptedNotLost.self)
    }

    @Test func `a missing account matches any account`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=songs account=a
            queue.failed payment=p1 error=interrupted
            queue.purchased transaction=t1 product=songs
            payment.requested payment=p2 product=coins
            queue.failed payment=p2 error=interrupted
            queue.purchased transaction=t2 product=coins account=b
            """
        ).expectPinned(InterruptedNotLost.self)
    }

    @Test func `a promoted payment may also settle the failure`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=songs
            queue.failed payment=p1 error=interrupted
            queue.purchased transaction=t1 payment=another product=songs
            """
        ).expectPinned(InterruptedNotLost.self)
    }

    @Test func `a repeated failure counts once, and another error settles it`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=interrupted
            app.launched
            queue.failed payment=p1 error=interrupted
            queue.failed payment=p1 error=cancelled
            """
        ).expectPinned(InterruptedNotLost.self)
    }

    @Test func `other errors are no interruptions`() throws {
        let timeline = Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=network
            """)
        try timeline.expectPinned(InterruptedNotLost.self)
        #expect(try timeline.verdict(InterruptedNotLost.self) == .vacuous)
    }

    @Test func `without its product the log can't tell`() throws {
        let timeline = Timeline(
            """
            unopened
            queue.failed payment=p1 error=interrupted
            """)
        try timeline.expectPinned(InterruptedNotLost.self)
        #expect(try timeline.verdict(InterruptedNotLost.self) == .undetermined)
    }

    @Test func `a line that was not understood may have been the purchase`() throws {
        let timeline = Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=interrupted
            what is this
            """)
        try timeline.expectPinned(InterruptedNotLost.self)
        #expect(try timeline.verdict(InterruptedNotLost.self) == .undetermined)
    }

    @Test func `each interrupted failure is a test`() throws {
        let report = try Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=interrupted
            queue.failed payment=p1 error=interrupted
            queue.purchased transaction=t1 payment=p1
            """
        ).reports([InterruptedNotLost.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }

    @Test func `the finding notes a purchase by another request`() throws {
        let report = try Timeline(
            """
            payment.requested account=a payment=p1 product=pro
            queue.failed account=a payment=p1 error=interrupted
            payment.requested account=a payment=p2 product=pro
            queue.purchased account=a transaction=t payment=p2 product=pro
            """
        ).reports([InterruptedNotLost.self])[0].report
        let finding = report.findings.first
        #expect(finding?.message.contains("a purchase of pro without a request") == true)
        #expect(finding?.notes.map(\.line) == [2, 5])
    }

    @Test func `a failure may come before its request`() throws {
        try Timeline(
            """
            queue.failed payment=p1 error=interrupted
            payment.requested payment=p1 product=coins account=a
            queue.purchased transaction=t1 product=coins account=a
            queue.failed payment=p2 error=interrupted ← interrupted-not-lost
            payment.requested payment=p2 product=songs account=a
            """
        ).expectPinned(InterruptedNotLost.self)
    }
}
