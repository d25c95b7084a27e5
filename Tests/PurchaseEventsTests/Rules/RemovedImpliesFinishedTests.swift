import Testing

@testable import PurchaseProjections

@Suite struct RemovedImpliesFinishedTests {
    @Test func `an entry that leaves the queue was finished`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.removed transaction=t1 ← removed-implies-finished
            queue.purchased transaction=t2
            queue.finished transaction=t2
            queue.removed transaction=t2
            """
        ).expectPinned(RemovedImpliesFinished.self)
    }

    @Test func `a waiting payment does not leave the queue`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.deferred payment=p1
            queue.removed payment=p1 ← removed-implies-finished
            """
        ).expectPinned(RemovedImpliesFinished.self)
    }

    @Test func `failures of one payment are counted`() throws {
        try Timeline(
            """
            queue.failed payment=p1 error=network
            queue.finished payment=p1
            queue.removed payment=p1
            payment.requested payment=p1
            queue.failed payment=p1 error=network
            queue.removed payment=p1 ← removed-implies-finished
            """
        ).expectPinned(RemovedImpliesFinished.self)
    }

    @Test func `a removal may come after the next failure`() throws {
        try Timeline(
            """
            queue.failed payment=p1 error=network
            queue.finished payment=p1
            queue.failed payment=p1 error=network
            queue.removed payment=p1
            """
        ).expectPinned(RemovedImpliesFinished.self)
    }

    @Test func `a purchase may leave under the name of its payment`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 payment=p1
            queue.finished transaction=t1
            queue.removed payment=p1
            """
        ).expectPinned(RemovedImpliesFinished.self)
    }

    @Test func `a log that starts in the middle may have missed the finish`() throws {
        let timeline = Timeline(
            """
            unopened
            queue.removed transaction=t1
            """)
        try timeline.expectPinned(RemovedImpliesFinished.self)
        #expect(try timeline.verdict(RemovedImpliesFinished.self) == .undetermined)
    }

    @Test func `each removal is a test`() throws {
        let report = try Timeline(
            """
            queue.finished transaction=t1
            queue.removed transaction=t1
            queue.finished payment=p1
            queue.removed payment=p1
            """
        ).reports([RemovedImpliesFinished.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }

    @Test func `a removal that was found needs no finish later`() throws {
        try Timeline(
            """
            queue.failed payment=p1 error=network
            queue.removed payment=p1 ← removed-implies-finished
            queue.failed payment=p1 error=network
            queue.finished payment=p1
            queue.removed payment=p1
            """
        ).expectPinned(RemovedImpliesFinished.self)
    }
}
