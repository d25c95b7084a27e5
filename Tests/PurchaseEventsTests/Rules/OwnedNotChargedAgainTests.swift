import Testing

@testable import PurchaseProjections

@Suite struct OwnedNotChargedAgainTests {
    @Test func `each purchase of an owned product is a test`() throws {
        let report = try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990
            queue.purchased transaction=t2 product=songs account=a price=0
            """
        ).reports([OwnedNotChargedAgain.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }
}
