import Testing

@testable import PurchaseProjections

@Suite struct RestoredHasOriginalTests {
    @Test func `each restored transaction is a test`() throws {
        let report = try Timeline(
            """
            queue.restored transaction=t2 original=t1
            app.launched
            queue.restored transaction=t2 original=t1
            queue.restored transaction=t3 original=t1
            """
        ).reports([RestoredHasOriginal.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
