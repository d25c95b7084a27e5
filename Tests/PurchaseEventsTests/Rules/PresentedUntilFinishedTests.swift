import Testing

@testable import PurchaseProjections

@Suite struct PresentedUntilFinishedTests {
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
