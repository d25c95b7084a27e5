import Testing

@testable import PurchaseProjections

@Suite struct LifecycleTests {
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
}
