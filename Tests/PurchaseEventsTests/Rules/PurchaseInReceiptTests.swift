import Testing

@testable import PurchaseProjections

@Suite struct PurchaseInReceiptTests {
    @Test func `a finished purchase is in the next receipt of its account`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a
            queue.purchased transaction=t2 product=paper expiresAt=2026-03-01 account=a
            queue.finished transaction=t1
            queue.finished transaction=t2
            receipt.refreshed receipt=r1 account=a ← purchase-in-receipt ×2
            receipt.refreshed receipt=r2 account=a
            """
        ).expectPinned(PurchaseInReceipt.self)
    }

    @Test func `a listed purchase is fine, and so is one that may leave`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            catalog.listed product=coins kind=consumable
            catalog.listed product=pass kind=nonRenewing
            queue.purchased transaction=t1 product=songs account=a
            queue.purchased transaction=t2 product=coins account=a
            queue.purchased transaction=t3 product=pass account=a
            queue.finished transaction=t1
            queue.finished transaction=t2
            queue.finished transaction=t3
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 product=songs
            """
        ).expectPinned(PurchaseInReceipt.self)
    }

    @Test func `an unfinished purchase waits for a later receipt`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a
            receipt.refreshed receipt=r1 account=a
            queue.finished transaction=t1
            receipt.refreshed receipt=r2 account=a ← purchase-in-receipt
            """
        ).expectPinned(PurchaseInReceipt.self)
    }

    @Test func `a product bought twice is listed once`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            receipt.listed transaction=t1 product=songs account=a
            queue.purchased transaction=t2 product=songs account=a
            queue.finished transaction=t2
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 product=songs
            """
        ).expectPinned(PurchaseInReceipt.self)
    }

    @Test func `receipts of other accounts and environments are not the next`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a
            queue.finished transaction=t1
            receipt.refreshed receipt=r1 account=b
            receipt.refreshed receipt=r2 account=a environment=sandbox
            receipt.refreshed receipt=r3
            receipt.refreshed receipt=r4 account=a device=pad ← purchase-in-receipt
            """
        ).expectPinned(PurchaseInReceipt.self)
    }

    @Test func `the rule can't tell for an unknown kind`() throws {
        let timeline = Timeline(
            """
            queue.purchased transaction=t1 account=a
            queue.finished transaction=t1
            receipt.refreshed receipt=r1 account=a
            """)
        try timeline.expectPinned(PurchaseInReceipt.self)
        #expect(try timeline.verdict(PurchaseInReceipt.self) == .undetermined)
    }

    @Test func `a line that was not understood may have been the row`() throws {
        let timeline = Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a
            queue.finished transaction=t1
            receipt.refreshed receipt=r1 account=a
            what is this
            """)
        try timeline.expectPinned(PurchaseInReceipt.self)
        #expect(try timeline.verdict(PurchaseInReceipt.self) == .undetermined)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a
            queue.finished transaction=t1
            receipt.refreshed receipt=r1 account=a ← purchase-in-receipt
            """
        ).expectPinned(PurchaseInReceipt.self)
    }

    @Test func `each purchase with a later snapshot is a test`() throws {
        let report = try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a
            queue.finished transaction=t1
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 product=songs
            receipt.refreshed receipt=r2 account=a
            queue.purchased transaction=t2 product=songs account=a
            queue.finished transaction=t2
            """
        ).reports([PurchaseInReceipt.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }

    @Test func `an invalid purchase need not be in the receipt`() throws {
        let timeline = Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a
            delivery.validated transaction=t1 outcome=invalid
            queue.finished transaction=t1
            receipt.refreshed receipt=r1 account=a
            """)
        try timeline.expectPinned(PurchaseInReceipt.self)
        #expect(try timeline.verdict(PurchaseInReceipt.self) == .vacuous)
    }
}
