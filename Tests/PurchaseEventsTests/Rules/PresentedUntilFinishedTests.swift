import Testing

@testable import PurchaseProjections

@Suite struct PresentedUntilFinishedTests {
    @Test func `what is unfinished is missed where the queue speaks without it`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.restored transaction=t2 original=t0
            queue.failed payment=p1 error=network
            app.launched ← presented-until-finished ×3
            queue.purchasing payment=p2
            app.launched
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `where the queue is silent nobody is missed`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            app.launched
            queue.observed
            app.launched
            queue.purchased transaction=t1
            app.launched
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `the last launch is not judged, for the log may end before the queue speaks`() throws
    {
        try Timeline(
            """
            queue.purchased transaction=t1
            app.launched
            queue.purchasing payment=p1
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `what is presented, finished or removed is not missed`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.purchased transaction=t2
            queue.purchased transaction=t3
            queue.failed payment=p1 error=network
            queue.finished transaction=t3
            app.launched
            queue.finished payment=p1
            queue.purchased transaction=t1
            queue.removed transaction=t2
            app.launched
            queue.purchased transaction=t1
            app.launched
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `what arrives after a launch is expected at the next`() throws {
        try Timeline(
            """
            app.launched
            queue.purchased transaction=t1
            app.launched ← presented-until-finished
            queue.purchasing payment=p1
            app.launched ← presented-until-finished
            queue.purchasing payment=p1
            app.launched
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `what is requested, purchasing or deferred is not expected`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.deferred payment=p1
            app.launched
            queue.purchasing payment=p2
            app.launched
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `a failed payment that was purchased after all is the purchase's`() throws {
        try Timeline(
            """
            queue.failed payment=p1 error=interrupted
            queue.purchased transaction=t1 payment=p1
            app.launched
            queue.purchased transaction=t1 payment=p1
            app.launched
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `entries and launches are a device's own`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 device=phone
            queue.purchased transaction=t2 device=pad
            app.launched device=pad ← presented-until-finished
            queue.purchased transaction=t1 device=pad
            queue.finished transaction=t1 device=pad
            app.launched device=pad
            app.launched device=phone
            queue.purchasing payment=p1 device=phone
            app.launched device=phone
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `a line that was not understood may have presented it`() throws {
        let timeline = Timeline(
            """
            queue.purchased transaction=t1
            app.launched
            what is this
            queue.purchasing payment=p1
            app.launched
            """)
        try timeline.expectPinned(PresentedUntilFinished.self)
        #expect(try timeline.verdict(PresentedUntilFinished.self) == .undetermined)
    }

    @Test func `what a log that starts in the middle shows stands`() throws {
        try Timeline(
            """
            unopened
            queue.purchased transaction=t1
            app.launched ← presented-until-finished
            queue.purchasing payment=p1
            app.launched
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `each launch with entries open is a test`() throws {
        let report = try Timeline(
            """
            app.launched
            queue.purchased transaction=t1
            app.launched
            queue.purchased transaction=t1
            queue.finished transaction=t1
            app.launched
            """
        ).reports([PresentedUntilFinished.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }
}
