import Testing

@testable import PurchaseProjections

@Suite struct RemovedImpliesFinishedTests {
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
}
