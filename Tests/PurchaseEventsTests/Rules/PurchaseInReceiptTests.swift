import Testing

@testable import PurchaseProjections

@Suite struct PurchaseInReceiptTests {
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
}
