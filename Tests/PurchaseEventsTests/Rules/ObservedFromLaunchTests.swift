import Testing

@testable import PurchaseProjections

@Suite struct ObservedFromLaunchTests {
    @Test func `no queue event comes between a launch and its observer`() throws {
        try Timeline(
            """
            app.launched device=phone
            queue.purchasing device=phone payment=p1 ← observed-from-launch
            queue.removed device=phone payment=p1 ← observed-from-launch
            queue.observed device=phone
            queue.purchased device=phone transaction=t1
            app.launched device=phone
            queue.purchased device=phone transaction=t1 ← observed-from-launch
            """
        ).expectPinned(ObservedFromLaunch.self)
    }

    @Test func `no queue event comes after the observer is removed`() throws {
        try Timeline(
            """
            app.launched
            queue.observed
            queue.failed payment=p1 error=network
            queue.unobserved
            queue.failed payment=p1 error=network ← observed-from-launch
            queue.observed
            queue.failed payment=p1 error=network
            """
        ).expectPinned(ObservedFromLaunch.self)
    }

    @Test func `each device has its own observer`() throws {
        try Timeline(
            """
            app.launched device=phone
            queue.observed device=phone
            app.launched device=pad
            queue.restored device=phone transaction=t2 original=t1
            queue.restored device=pad transaction=t3 original=t1 ← observed-from-launch
            queue.restored transaction=t4 original=t1
            """
        ).expectPinned(ObservedFromLaunch.self)
    }

    @Test func `finishing needs no observer`() throws {
        try Timeline(
            """
            app.launched
            queue.finished transaction=t1
            """
        ).expectPinned(ObservedFromLaunch.self)
    }

    @Test func `a log without launches is not judged`() throws {
        let timeline = Timeline("queue.purchased transaction=t1")
        try timeline.expectPinned(ObservedFromLaunch.self)
        #expect(try timeline.verdict(ObservedFromLaunch.self) == .vacuous)
    }

    @Test func `a log that starts in the middle can't tell before its first launch`() throws {
        let timeline = Timeline(
            """
            unopened
            queue.purchased transaction=t1
            """)
        try timeline.expectPinned(ObservedFromLaunch.self)
        #expect(try timeline.verdict(ObservedFromLaunch.self) == .undetermined)
    }

    @Test func `after a launch that the log shows it can tell`() throws {
        try Timeline(
            """
            unopened
            app.launched
            queue.purchased transaction=t1 ← observed-from-launch
            """
        ).expectPinned(ObservedFromLaunch.self)
    }

    @Test func `a line that was not understood may have been the observer`() throws {
        let timeline = Timeline(
            """
            app.launched
            what is this
            queue.purchased transaction=t1
            """)
        try timeline.expectPinned(ObservedFromLaunch.self)
        #expect(try timeline.verdict(ObservedFromLaunch.self) == .undetermined)
        try Timeline(
            """
            what is this
            app.launched
            queue.purchased transaction=t1 ← observed-from-launch
            """
        ).expectPinned(ObservedFromLaunch.self)
    }

    @Test func `each launch is a test`() throws {
        let report = try Timeline(
            """
            app.launched
            queue.observed
            queue.purchased transaction=t1
            app.launched
            """
        ).reports([ObservedFromLaunch.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
