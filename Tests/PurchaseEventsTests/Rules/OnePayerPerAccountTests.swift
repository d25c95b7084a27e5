import Testing

@testable import PurchaseProjections

@Suite struct OnePayerPerAccountTests {
    @Test func `each request that names its payer is a test`() throws {
        let report = try Timeline(
            """
            payment.requested payment=p1 account=a payer=s1
            payment.requested payment=p2 account=a payer=s1
            payment.requested payment=p3 account=a
            """
        ).reports([OnePayerPerAccount.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
