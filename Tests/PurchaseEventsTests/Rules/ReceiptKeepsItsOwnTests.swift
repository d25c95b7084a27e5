import Testing

@testable import PurchaseProjections

@Suite struct ReceiptKeepsItsOwnTests {
    @Test func `a permanent row stays in the receipt`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 kind=nonConsumable
            receipt.listed receipt=r1 transaction=t2 kind=autoRenewable
            receipt.listed receipt=r1 transaction=t2 kind=autoRenewable
            queue.finished transaction=t1
            queue.finished transaction=t2
            receipt.refreshed receipt=r2 account=a ← receipt-keeps-its-own ×2
            receipt.refreshed receipt=r3 account=a
            """
        ).expectPinned(ReceiptKeepsItsOwn.self)
    }

    @Test func `a consumable row leaves once it is finished`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 kind=consumable
            receipt.listed receipt=r1 transaction=t2 kind=consumable
            receipt.listed receipt=r1 transaction=t3 kind=nonRenewing
            queue.finished transaction=t1
            queue.finished transaction=t3
            receipt.refreshed receipt=r2 account=a ← receipt-keeps-its-own
            queue.finished transaction=t2
            """
        ).expectPinned(ReceiptKeepsItsOwn.self)
    }

    @Test func `the next snapshot may list them all`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 kind=nonConsumable
            receipt.listed transaction=t9 kind=nonConsumable
            receipt.refreshed receipt=r2 account=a
            receipt.listed receipt=r2 transaction=t2 kind=nonConsumable
            receipt.listed receipt=r2 transaction=t1 kind=nonConsumable
            """
        ).expectPinned(ReceiptKeepsItsOwn.self)
    }

    @Test func `snapshots of other owners are not compared`() throws {
        let timeline = Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 kind=nonConsumable
            receipt.refreshed receipt=r2 account=b
            receipt.refreshed receipt=r3 account=a device=pad
            receipt.refreshed receipt=r4 account=a environment=sandbox
            receipt.refreshed receipt=r5
            """)
        try timeline.expectPinned(ReceiptKeepsItsOwn.self)
        #expect(try timeline.verdict(ReceiptKeepsItsOwn.self) == .vacuous)
    }

    @Test func `a row of unknown kind may not leave unfinished`()
        throws
    {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1
            receipt.refreshed receipt=r2 account=a ← receipt-keeps-its-own
            """
        ).expectPinned(ReceiptKeepsItsOwn.self)
        let timeline = Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1
            queue.finished transaction=t1
            receipt.refreshed receipt=r2 account=a
            """)
        try timeline.expectPinned(ReceiptKeepsItsOwn.self)
        #expect(try timeline.verdict(ReceiptKeepsItsOwn.self) == .undetermined)
    }

    @Test func `a log that starts in the middle may have missed a finish`() throws {
        let timeline = Timeline(
            """
            unopened
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 kind=consumable
            receipt.refreshed receipt=r2 account=a
            """)
        try timeline.expectPinned(ReceiptKeepsItsOwn.self)
        #expect(try timeline.verdict(ReceiptKeepsItsOwn.self) == .undetermined)
    }

    @Test func `a missing permanent row is proven wherever the log starts`() throws {
        try Timeline(
            """
            unopened
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 kind=nonConsumable
            receipt.refreshed receipt=r2 account=a ← receipt-keeps-its-own
            """
        ).expectPinned(ReceiptKeepsItsOwn.self)
    }

    @Test func `a line that was not understood may have been the row`() throws {
        let timeline = Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 kind=nonConsumable
            receipt.refreshed receipt=r2 account=a
            what is this
            """)
        try timeline.expectPinned(ReceiptKeepsItsOwn.self)
        #expect(try timeline.verdict(ReceiptKeepsItsOwn.self) == .undetermined)
    }

    @Test func `each row of the previous snapshot is a test`() throws {
        let report = try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 kind=nonConsumable
            receipt.listed receipt=r1 transaction=t2 kind=nonConsumable
            receipt.refreshed receipt=r2 account=a
            receipt.listed receipt=r2 transaction=t1 kind=nonConsumable
            receipt.listed receipt=r2 transaction=t2 kind=nonConsumable
            receipt.listed receipt=r2 transaction=t3 kind=nonConsumable
            """
        ).reports([ReceiptKeepsItsOwn.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
