import Testing

@testable import PurchaseProjections

@Suite struct RestoredToOwnerTests {
    @Test func `the delivery may name the restoring account`() throws {
        let timeline = Timeline(
            """
            queue.purchased transaction=t1 account=a
            queue.restored transaction=t2 original=t1
            delivery.delivered transaction=t2 account=b ← restored-to-owner
            """)
        try timeline.expectPinned(RestoredToOwner.self)
        #expect(try timeline.reports([RestoredToOwner.self])[0].report.tested == 1)
    }

    @Test func `each restored transaction whose accounts are known is a test`() throws {
        let report = try Timeline(
            """
            queue.purchased transaction=t1 account=a
            queue.restored transaction=t2 original=t1 account=a
            queue.restored transaction=t3 original=t1 account=b
            app.launched
            queue.restored transaction=t2 original=t1 account=a
            """
        ).reports([RestoredToOwner.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
