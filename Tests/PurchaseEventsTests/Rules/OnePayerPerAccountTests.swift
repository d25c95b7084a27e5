import Testing

@testable import PurchaseProjections

@Suite struct OnePayerPerAccountTests {
    @Test func `a third payer within thirty days is irregular`() throws {
        try Timeline(
            """
            payment.requested payment=p1 account=a payer=s1
            payment.requested payment=p2 account=a payer=s2
            payment.requested payment=p3 account=a payer=s1
            payment.requested payment=p4 account=a payer=s3 ← one-payer-per-account
            payment.requested payment=p5 account=a payer=s3
            payment.requested payment=p6 account=a payer=s2
            """
        ).expectPinned(OnePayerPerAccount.self)
    }

    @Test func `thirty days are counted to the millisecond`() throws {
        try Timeline(
            """
            payment.requested payment=p1 account=a payer=s1 at=2026-01-01
            payment.requested payment=p2 account=a payer=s2 at=2026-01-20
            payment.requested payment=p3 account=a payer=s3 at=2026-01-31 ← one-payer-per-account
            payment.requested payment=p4 account=b payer=s1 at=2026-02-01
            payment.requested payment=p5 account=b payer=s2 at=2026-02-20
            payment.requested payment=p6 account=b payer=s3 at=2026-03-03T00:00:00.001Z
            """
        ).expectPinned(OnePayerPerAccount.self)
    }

    @Test func `a clock that goes back changes nothing`() throws {
        try Timeline(
            """
            payment.requested payment=p1 account=a payer=s1 at=2026-02-01
            payment.requested payment=p2 account=a payer=s2 at=2026-01-20
            payment.requested payment=p3 account=a payer=s3 at=2026-01-10 ← one-payer-per-account
            """
        ).expectPinned(OnePayerPerAccount.self)
    }

    @Test func `accounts, payers and environments are counted separately`() throws {
        try Timeline(
            """
            payment.requested payment=p1 account=a payer=s1
            payment.requested payment=p2 account=a payer=s2
            payment.requested payment=p3 account=b payer=s3
            payment.requested payment=p4 payer=s3
            payment.requested payment=p5 account=a
            payment.requested payment=p6 account=a payer=s3 environment=sandbox
            """
        ).expectPinned(OnePayerPerAccount.self)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            payment.requested payment=p1 account=a payer=s1
            what is this
            payment.requested payment=p2 account=a payer=s2
            payment.requested payment=p3 account=a payer=s3 ← one-payer-per-account
            """
        ).expectPinned(OnePayerPerAccount.self)
    }

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

    @Test func `three payers count within one stretch only`() throws {
        try Timeline(
            """
            payment.requested payment=p1 account=a payer=s1 at=2026-02-10
            payment.requested payment=p2 account=a payer=s2 at=2026-01-01
            payment.requested payment=p3 account=a payer=s3 at=2026-01-20
            """
        ).expectPinned(OnePayerPerAccount.self)
    }
}
