import Testing

@testable import PurchaseProjections

@Suite struct QuantitySaneTests {
    @Test func `each quantity of a known kind is a test`() throws {
        let report = try Timeline(
            """
            catalog.listed product=coins kind=consumable
            payment.requested payment=p1 product=coins quantity=2
            queue.purchased transaction=t1 product=coins quantity=2
            queue.purchased transaction=t2 product=coins
            """
        ).reports([QuantitySane.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
