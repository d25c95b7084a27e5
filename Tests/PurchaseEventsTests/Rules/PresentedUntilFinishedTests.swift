import Testing

@testable import PurchaseProjections

@Suite struct PresentedUntilFinishedTests {
    @Test func `an unfinished entry is missed if the queue reports without it`() throws {
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

    @Test func `no entry is missed while the queue is silent`() throws {
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

    @Test func `a presented, finished or removed entry is not missed`() throws {
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

    @Test func `an entry that arrives after a launch is expected at the next`() throws {
        try Timeline(
            """
            app.launched
            queue.purchased transaction=t1
            app.launched ← presented-until-finished
            queue.purchasing payment=p1
            app.launched
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `an entry that several launches miss is one finding that counts them`() throws {
        let timeline = Timeline(
            """
            queue.purchased transaction=t1
            app.launched ← presented-until-finished
            queue.purchasing payment=p1
            app.launched
            queue.purchasing payment=p1
            app.launched
            queue.purchased transaction=t1
            app.launched
            app.launched
            queue.purchasing payment=p1
            app.launched
            queue.purchasing payment=p1
            queue.finished transaction=t1
            app.launched
            """)
        try timeline.expectPinned(PresentedUntilFinished.self)
        let report = try timeline.reports([PresentedUntilFinished.self])[0].report
        let finding = try #require(report.findings.first)
        #expect(report.tested == 6)
        #expect(
            finding.message
                == "transaction t1 is unfinished, and was not presented again after this launch, "
                + "nor after 2 later ones: expected the queue to present it")
        #expect(finding.notes.map(\.line) == [2, 4, 5, 10])
        #expect(finding.notes.last?.message == "then this was the last of 3 such launches")
    }

    @Test func `an entry that leaves the queue and comes back is another entry`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            app.launched ← presented-until-finished
            queue.removed transaction=t2
            app.launched
            queue.removed transaction=t1
            queue.purchased transaction=t1
            app.launched ← presented-until-finished
            queue.removed transaction=t2
            app.launched
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `devices miss an entry each for themselves`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 device=phone
            queue.purchased transaction=t1 device=pad
            app.launched device=phone ← presented-until-finished
            app.launched device=pad ← presented-until-finished
            queue.purchasing payment=p1 device=phone
            queue.purchasing payment=p1 device=pad
            app.launched device=phone
            app.launched device=pad
            queue.removed transaction=t1 device=phone
            queue.finished transaction=t1 device=pad
            """
        ).expectPinned(PresentedUntilFinished.self)
    }

    @Test func `a line that was not understood doesn't excuse an earlier launch`() throws {
        let timeline = Timeline(
            """
            queue.purchased transaction=t1
            app.launched ← presented-until-finished
            queue.purchasing payment=p1
            app.launched
            what is this
            queue.purchasing payment=p1
            app.launched
            """)
        try timeline.expectPinned(PresentedUntilFinished.self)
        let report = try timeline.reports([PresentedUntilFinished.self])[0].report
        #expect(report.because.count == 1)
        #expect(report.findings.first?.notes.count == 3)
    }

    @Test func `a requested, purchasing or deferred entry is not expected`() throws {
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

    @Test func `a failed payment that is purchased later counts as the purchase`() throws {
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

    @Test func `entries and launches are kept for each device`() throws {
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

    @Test func `a finding stands in a log that starts in the middle`() throws {
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
