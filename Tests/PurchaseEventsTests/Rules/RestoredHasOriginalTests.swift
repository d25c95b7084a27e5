import Testing

@testable import PurchaseProjections

@Suite struct RestoredHasOriginalTests {
    @Test func `a restored transaction is not its own original`() throws {
        try Timeline(
            """
            queue.restored transaction=t1 original=t1 ← restored-has-original
            queue.restored transaction=t2 original=t1
            app.launched
            queue.restored transaction=t1 original=t1
            """
        ).expectPinned(RestoredHasOriginal.self)
    }

    @Test func `a consumable is not restored`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            catalog.listed product=songs kind=nonConsumable
            queue.restored transaction=t2 original=t1 product=coins ← restored-has-original
            queue.restored transaction=t4 original=t3 product=songs
            queue.restored transaction=t6 original=t5 product=unknown
            """
        ).expectPinned(RestoredHasOriginal.self)
    }

    @Test func `one transaction is one finding`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.restored transaction=t1 original=t1 product=coins ← restored-has-original
            """
        ).expectPinned(RestoredHasOriginal.self)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            queue.restored transaction=t1 original=t1 ← restored-has-original
            """
        ).expectPinned(RestoredHasOriginal.self)
    }

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

    @Test func `a restore is of the original's product, except in a subscription`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            catalog.listed product=monthly kind=autoRenewable
            queue.purchased transaction=t1 product=songs
            queue.purchased transaction=t2 product=monthly
            queue.restored transaction=t3 original=t1 product=films ← restored-has-original
            queue.restored transaction=t4 original=t1 product=songs
            queue.restored transaction=t5 original=t2 product=yearly
            queue.restored transaction=t6 original=t9 product=films
            """
        ).expectPinned(RestoredHasOriginal.self)
    }

    @Test func `kinds and originals may be stated later`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=coins
            queue.restored transaction=t2 original=t1 product=songs ← restored-has-original
            queue.restored transaction=t4 original=t3 product=gems ← restored-has-original
            catalog.listed product=gems kind=consumable
            queue.restored transaction=t6 original=t5 product=songs ← restored-has-original
            queue.purchased transaction=t5 product=films
            receipt.listed transaction=t7 product=films kind=nonConsumable
            queue.restored transaction=t9 original=t8 product=plan
            queue.purchased transaction=t8 product=paper expiresAt=2026-03-01
            """
        ).expectPinned(RestoredHasOriginal.self)
    }
}
