import Testing

@testable import PurchaseProjections

@Suite struct NotPresentedAfterFinishTests {
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
