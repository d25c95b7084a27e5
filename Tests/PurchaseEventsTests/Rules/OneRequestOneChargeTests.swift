import Testing

@testable import PurchaseProjections

@Suite struct OneRequestOneChargeTests {
    @Test func `each payment is a test`() throws {
        let report = try Timeline(
            """
            payment.requested payment=p1
            payment.requested payment=p1
            payment.requested payment=p2
            queue.purchased transaction=t1 payment=p1
            """
        ).reports([OneRequestOneCharge.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
