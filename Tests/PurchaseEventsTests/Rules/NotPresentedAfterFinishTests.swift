import Testing

@testable import PurchaseProjections

@Suite struct NotPresentedAfterFinishTests {
    @Test func `a finished transaction does not come back`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.purchased transaction=t1 ← not-presented-after-finish
            queue.restored transaction=t2 original=t1
            queue.purchased transaction=t2
            queue.finished transaction=t2
            app.launched
            queue.restored transaction=t2 original=t1 ← not-presented-after-finish
            """
        ).expectPinned(NotPresentedAfterFinish.self)
    }

    @Test func `a failed payment may be requested again`() throws {
        try Timeline(
            """
            queue.failed payment=p1 error=network
            queue.finished payment=p1
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            """
        ).expectPinned(NotPresentedAfterFinish.self)
    }

    @Test func `Xcode reuses identifiers`() throws {
        let timeline = Timeline(
            """
            log.opened schema=1 environment=xcode
            queue.purchased transaction=0
            queue.finished transaction=0
            queue.purchased transaction=0 ← not-presented-after-finish
            """)
        try timeline.expectPinned(NotPresentedAfterFinish.self)
        #expect(try timeline.verdict(NotPresentedAfterFinish.self) == .holds)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            queue.finished transaction=t1
            what is this
            queue.purchased transaction=t1 environment=production ← not-presented-after-finish
            """
        ).expectPinned(NotPresentedAfterFinish.self)
    }

    @Test func `each finished transaction is a test`() throws {
        let report = try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.finished transaction=t1
            queue.finished payment=p1
            """
        ).reports([NotPresentedAfterFinish.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }

    @Test func `an unstated environment may be Xcode`() throws {
        let timeline = Timeline(
            """
            unopened
            queue.purchased transaction=0
            queue.finished transaction=0
            queue.purchased transaction=0
            """)
        try timeline.expectPinned(NotPresentedAfterFinish.self)
        #expect(try timeline.verdict(NotPresentedAfterFinish.self) == .undetermined)
    }

    @Test func `each device has its own presentations`() throws {
        try Timeline(
            """
            app.launched device=phone
            queue.purchased transaction=t0 device=phone
            queue.finished transaction=t0 device=phone
            app.launched device=pad
            queue.purchased transaction=t1 device=pad
            queue.purchased transaction=t2 device=pad
            queue.finished transaction=t1 device=pad
            queue.finished transaction=t2 device=pad
            app.launched device=phone
            queue.purchased transaction=t1 device=phone
            queue.purchased transaction=t2 device=phone
            queue.finished transaction=t1 device=phone
            app.launched device=phone
            queue.purchased transaction=t2 device=phone
            queue.purchased transaction=t1 device=phone ← not-presented-after-finish
            queue.purchased transaction=t1 device=pad ← not-presented-after-finish
            queue.purchased transaction=t1 ← not-presented-after-finish
            """
        ).expectPinned(NotPresentedAfterFinish.self)
    }

    @Test func `an entry finished on one device stays open on another`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 device=phone
            queue.purchased transaction=t1 device=pad
            queue.finished transaction=t1 device=pad
            app.launched device=phone
            queue.purchased transaction=t1 device=phone
            queue.finished transaction=t1 device=phone
            queue.purchased transaction=t1 device=phone ← not-presented-after-finish
            """
        ).expectPinned(NotPresentedAfterFinish.self)
    }

    @Test func `a finish by a device that was not shown the entry closes it`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 device=phone
            queue.finished transaction=t1
            app.launched device=phone
            queue.purchased transaction=t1 device=phone ← not-presented-after-finish
            """
        ).expectPinned(NotPresentedAfterFinish.self)
    }

    @Test func `a transaction that restores itself is left to restored-has-original`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.restored transaction=t1 original=t1 ← restored-has-original
            """
        ).expectPinned(NotPresentedAfterFinish.self, Lifecycle.self, RestoredHasOriginal.self)
    }

    @Test func `the first presentation on another device is no second one`() throws {
        try Timeline(
            """
            app.launched device=pad
            queue.purchased transaction=t0 device=pad
            queue.purchased transaction=t1 device=phone
            queue.finished transaction=t1 device=phone
            queue.finished transaction=t0 device=pad
            queue.purchased transaction=t1 device=pad
            delivery.persisted transaction=t1 store=receipt device=pad
            delivery.persisted transaction=t1 store=receipt device=phone ← nothing-after-finish
            queue.purchased transaction=t1 device=phone ← not-presented-after-finish
            """
        ).expectPinned(NotPresentedAfterFinish.self, NothingAfterFinish.self)
    }

    @Test func `after a restore request it is a note`() throws {
        let report = try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            app.launched
            restore.requested by=user
            queue.purchased transaction=t1
            """
        ).reports([NotPresentedAfterFinish.self])[0].report
        #expect(report.findings.map(\.level) == [.note])
    }
}
