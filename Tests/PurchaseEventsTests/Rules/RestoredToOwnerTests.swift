import Testing

@testable import PurchaseProjections

@Suite struct RestoredToOwnerTests {
    @Test func `a purchase of another account is not delivered to the restorer`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 account=a
            queue.restored transaction=t2 original=t1 account=b
            delivery.delivered transaction=t2 account=b ← restored-to-owner
            delivery.delivered transaction=t2 account=b
            """
        ).expectPinned(RestoredToOwner.self)
    }

    @Test func `the purchase may be linked before the delivery`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 account=a
            queue.restored transaction=t2 original=t1 account=b
            account.linked original=t1 account=b from=a
            delivery.delivered transaction=t2 account=b
            """
        ).expectPinned(RestoredToOwner.self)
    }

    @Test func `a link elsewhere or too late leaves the purchase with its owner`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 account=a
            account.linked original=t1 account=c from=a
            queue.restored transaction=t2 original=t1 account=b
            delivery.delivered transaction=t2 ← restored-to-owner
            account.linked original=t1 account=b from=c
            queue.restored transaction=t3 original=t1 account=a
            delivery.delivered transaction=t3 ← restored-to-owner
            """
        ).expectPinned(RestoredToOwner.self)
    }

    @Test func `a delivery to the owner is fine, whoever restored`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 account=a
            queue.restored transaction=t2 original=t1 account=a
            delivery.delivered transaction=t2 account=a
            queue.restored transaction=t3 original=t1 account=b
            delivery.delivered transaction=t3 account=a
            queue.restored transaction=t4 original=t1 account=b
            queue.finished transaction=t4
            """
        ).expectPinned(RestoredToOwner.self)
    }

    @Test func `a subscription belongs to the owner of its line`() throws {
        try Timeline(
            """
            renewal.started transaction=t1 original=t1 expiresAt=2026-02-01 account=a
            renewal.renewed transaction=t2 original=t1 expiresAt=2026-03-01 account=a
            queue.restored transaction=t3 original=t1 account=b
            delivery.delivered transaction=t3 ← restored-to-owner
            """
        ).expectPinned(RestoredToOwner.self)
    }

    @Test func `a missing account matches any account`() throws {
        let timeline = Timeline(
            """
            queue.purchased transaction=t1
            queue.restored transaction=t2 original=t1 account=b
            delivery.delivered transaction=t2 account=b
            queue.purchased transaction=t3 account=a
            queue.restored transaction=t4 original=t3
            delivery.delivered transaction=t4
            """)
        try timeline.expectPinned(RestoredToOwner.self)
        #expect(try timeline.verdict(RestoredToOwner.self) == .vacuous)
    }

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

    @Test func `a log that starts in the middle may have missed the link`() throws {
        let timeline = Timeline(
            """
            unopened
            receipt.listed transaction=t1 account=a
            queue.restored transaction=t2 original=t1 account=b
            delivery.delivered transaction=t2
            """)
        try timeline.expectPinned(RestoredToOwner.self)
        #expect(try timeline.verdict(RestoredToOwner.self) == .undetermined)
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

    @Test func `a later delivery is found too, once`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 account=a
            queue.restored transaction=t2 original=t1 account=b
            delivery.delivered transaction=t2 account=a
            delivery.delivered transaction=t2 account=b ← restored-to-owner
            delivery.delivered transaction=t2 account=b
            """
        ).expectPinned(RestoredToOwner.self)
    }
}
