import Testing

@testable import PurchaseProjections

@Suite struct ReceiptKeepsItsOwnTests {
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
