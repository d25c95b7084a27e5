import Testing

@testable import PurchaseProjections

@Suite struct ValidatedInBothTests {
    @Test func `each such status is a test`() throws {
        let report = try Timeline(
            """
            receipt.validated receipt=r1 outcome=invalid status=21007
            receipt.validated receipt=r1 outcome=valid status=0 environment=sandbox
            receipt.validated receipt=r2 outcome=valid status=0
            """
        ).reports([ValidatedInBoth.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }
}
