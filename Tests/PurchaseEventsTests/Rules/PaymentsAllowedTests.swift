import Testing

@testable import PurchaseProjections

@Suite struct PaymentsAllowedTests {
    @Test func `each restriction is a test`() throws {
        let report = try Timeline(
            """
            payment.restricted
            payment.allowed
            payment.requested payment=p1
            """
        ).reports([PaymentsAllowed.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }
}
