import Testing

@testable import PurchaseProjections

@Suite struct ObservedFromLaunchTests {
    @Test func `a log without launches is not judged`() throws {
        let timeline = Timeline("queue.purchased transaction=t1")
        try timeline.expectPinned(ObservedFromLaunch.self)
        #expect(try timeline.verdict(ObservedFromLaunch.self) == .vacuous)
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
