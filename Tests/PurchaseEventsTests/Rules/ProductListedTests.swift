import Testing

@testable import PurchaseProjections

@Suite struct ProductListedTests {
    @Test func `each request is a test`() throws {
        let report = try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            payment.requested payment=p1 product=songs
            payment.requested payment=p2 product=songs
            """
        ).reports([ProductListed.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
