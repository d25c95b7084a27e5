import Testing

@testable import PurchaseProjections

@Suite struct LifecycleTests {
    @Test func `a payment that waits for approval does not go back to purchasing`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.purchasing payment=p1
            queue.deferred payment=p1
            queue.purchasing payment=p1 ← lifecycle
            queue.deferred payment=p1
            """
        ).expectPinned(Lifecycle.self)
    }

    @Test func `a failed payment neither goes on nor waits`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=network
            queue.purchasing payment=p1 ← lifecycle
            queue.deferred payment=p1 ← lifecycle
            queue.failed payment=p1 error=network
            """
        ).expectPinned(Lifecycle.self)
    }

    @Test func `nothing is heard of a payment after its purchase`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.purchasing payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.purchasing payment=p1 ← lifecycle
            queue.deferred payment=p1 ← lifecycle
            queue.failed payment=p1 error=unknown ← lifecycle
            """
        ).expectPinned(Lifecycle.self)
    }

    @Test func `a failed payment may still be purchased, and finishing it closes nothing`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=interrupted
            queue.finished payment=p1
            queue.purchased transaction=t1 payment=p1
            """
        ).expectPinned(Lifecycle.self)
    }

    @Test func `a purchase presented again closes no second request`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            app.launched
            queue.purchased transaction=t1 payment=p1
            queue.purchasing payment=p1
            queue.purchased transaction=t2 payment=p1
            queue.purchasing payment=p1 ← lifecycle
            """
        ).expectPinned(Lifecycle.self)
    }

    @Test func `of several requests each event takes one that can take it`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            payment.requested payment=p1
            queue.deferred payment=p1
            queue.purchasing payment=p1
            queue.failed payment=p1 error=cancelled
            queue.purchasing payment=p1
            queue.deferred payment=p1
            queue.purchasing payment=p1 ← lifecycle
            """
        ).expectPinned(Lifecycle.self)
    }

    @Test func `a payment that was never requested may start in any phase, once`() throws {
        try Timeline(
            """
            queue.deferred payment=promoted
            queue.purchasing payment=promoted ← lifecycle
            queue.failed payment=another error=unknown
            queue.purchased transaction=t1 payment=third
            queue.purchasing payment=third ← lifecycle
            """
        ).expectPinned(Lifecycle.self)
    }

    @Test func `a transaction is purchased or restored, never both`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.restored transaction=t1 original=t0 ← lifecycle
            queue.purchased transaction=t1
            queue.restored transaction=t2 original=t0
            queue.purchased transaction=t2 ← lifecycle
            queue.restored transaction=t2 original=t0
            """
        ).expectPinned(Lifecycle.self)
    }

    @Test func `in Xcode identifiers start again, so purchased and restored is a note`() throws {
        let timeline = Timeline(
            """
            log.opened schema=1 environment=xcode
            queue.purchased transaction=0
            queue.restored transaction=0 original=7 ← lifecycle
            """)
        try timeline.expectPinned(Lifecycle.self)
        #expect(try timeline.verdict(Lifecycle.self) == .holds)
    }

    @Test func `a log that starts in the middle may have missed a request`() throws {
        let timeline = Timeline(
            """
            unopened
            payment.requested payment=p1
            queue.deferred payment=p1
            queue.purchasing payment=p1
            """)
        try timeline.expectPinned(Lifecycle.self)
        #expect(try timeline.verdict(Lifecycle.self) == .undetermined)
    }

    @Test func `a line that was not understood may have been a request`() throws {
        let timeline = Timeline(
            """
            payment.requested payment=p1
            what is this
            queue.deferred payment=p1
            queue.purchasing payment=p1
            """)
        try timeline.expectPinned(Lifecycle.self)
        #expect(try timeline.verdict(Lifecycle.self) == .undetermined)
    }

    @Test func `purchased and restored is proven wherever the log starts`() throws {
        try Timeline(
            """
            unopened
            queue.purchased transaction=t1
            queue.restored transaction=t1 original=t0 environment=production ← lifecycle
            """
        ).expectPinned(Lifecycle.self)
    }

    @Test func `each thing that the queue says is a test`() throws {
        let report = try Timeline(
            """
            payment.requested payment=p1
            queue.purchasing payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.finished transaction=t1
            queue.restored transaction=t2 original=t1
            """
        ).reports([Lifecycle.self])[0].report
        #expect(report.tested == 3)
        #expect(report.verdict == .holds)
        #expect(try Timeline("app.launched").verdict(Lifecycle.self) == .vacuous)
    }

    @Test func `an environment that isn't said may be Xcode's, whose identifiers start again`()
        throws
    {
        let timeline = Timeline(
            """
            unopened
            queue.purchased transaction=0
            queue.restored transaction=0 original=7
            """)
        try timeline.expectPinned(Lifecycle.self)
        #expect(try timeline.verdict(Lifecycle.self) == .undetermined)
    }
}
