import Testing

@testable import PurchaseProjections

@Suite struct WithdrawalHasAReasonTests {
    private func period(_ transaction: String, _ start: String, _ end: String, _ more: String = "")
        -> String
    {
        "receipt.listed account=a transaction=\(transaction) original=t product=monthly "
            + "purchasedAt=\(start) expiresAt=\(end) \(more)"
    }

    @Test func `access is not withdrawn before its end`() throws {
        try Timeline(
            """
            \(period("t", "2026-01-01", "2026-02-01"))
            delivery.withdrawn transaction=t reason=expired at=2026-01-31T23:59:59.999Z ← \
                withdrawal-has-a-reason
            delivery.withdrawn transaction=t reason=expired at=2026-02-01
            """
        ).expectPinned(WithdrawalHasAReason.self)
    }

    @Test func `a grace period and a renewal still grant`() throws {
        try Timeline(
            """
            \(period("t", "2026-01-01", "2026-02-01"))
            renewal.failed original=t graceExpiresAt=2026-02-10 at=2026-02-01
            delivery.withdrawn transaction=t reason=expired at=2026-02-09 ← withdrawal-has-a-reason
            delivery.withdrawn transaction=t reason=expired at=2026-02-11
            \(period("u", "2026-02-11", "2026-03-11"))
            delivery.withdrawn transaction=t reason=expired ← withdrawal-has-a-reason
            """
        ).expectPinned(WithdrawalHasAReason.self)
    }

    @Test func `a fact that is not known yet grants nothing`() throws {
        try Timeline(
            """
            \(period("t", "2026-01-01", "2026-02-01"))
            delivery.withdrawn transaction=t reason=expired at=2026-02-02
            \(period("u", "2026-02-01", "2026-03-01"))
            """
        ).expectPinned(WithdrawalHasAReason.self)
    }

    @Test func `another product of the account grants nothing of this one`() throws {
        try Timeline(
            """
            \(period("t", "2026-01-01", "2026-02-01", "upgraded=true"))
            receipt.listed account=a transaction=u original=t product=best \
                purchasedAt=2026-01-01 expiresAt=2026-03-01
            delivery.withdrawn transaction=t reason=upgraded
            """
        ).expectPinned(WithdrawalHasAReason.self)
    }

    @Test func `the reason other is a warning`() throws {
        let report = try Timeline(
            """
            \(period("t", "2026-01-01", "2026-02-01"))
            delivery.withdrawn transaction=t reason=other
            delivery.withdrawn transaction=t reason=other at=2026-02-01
            """
        ).reports([WithdrawalHasAReason.self])[0].report
        #expect(report.findings.map(\.level) == [.warning, .warning])
    }

    @Test func `a linked purchase is taken from its previous account`() throws {
        try Timeline(
            """
            \(period("t", "2026-01-01", "2026-02-01"))
            account.linked original=t account=b from=a
            delivery.withdrawn account=a transaction=t reason=revoked
            """
        ).expectPinned(WithdrawalHasAReason.self)
    }

    @Test func `another non-renewing purchase with an end still grants`() throws {
        let passes = """
            catalog.listed product=pass kind=nonRenewing
            queue.purchased account=a transaction=t product=pass
            queue.purchased account=a transaction=u product=pass
            delivery.delivered account=a transaction=t
            """
        try Timeline(
            """
            \(passes)
            delivery.delivered account=a transaction=u until=2026-03-10
            delivery.withdrawn account=a transaction=t reason=expired at=2026-02-08 ← \
                withdrawal-has-a-reason
            delivery.withdrawn account=a transaction=t reason=expired at=2026-03-10
            """
        ).expectPinned(WithdrawalHasAReason.self)
        try Timeline(
            """
            \(passes)
            delivery.delivered account=a transaction=u
            delivery.withdrawn account=a transaction=t reason=expired at=2026-02-08
            """
        ).expectPinned(WithdrawalHasAReason.self)
    }

    @Test func `in a log that starts in the middle the end may be missing`() throws {
        let text = """
            unopened
            receipt.listed transaction=t kind=nonConsumable
            delivery.withdrawn transaction=t reason=refunded
            """
        #expect(try Timeline(text).verdict(WithdrawalHasAReason.self) == .undetermined)
    }

    @Test func `each withdrawal is a test`() throws {
        let report = try Timeline("delivery.withdrawn transaction=t reason=expired")
            .reports([WithdrawalHasAReason.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }

    @Test func `another plan of the subscription ends the one before it, even if no row says so`()
        throws
    {
        let plans = """
            queue.purchased account=a transaction=t product=basic expiresAt=2026-02-01
            queue.purchased account=a transaction=u original=t product=best expiresAt=2026-02-10
            """
        for reason in ["upgraded", "expired"] {
            try Timeline("\(plans)\ndelivery.withdrawn account=a transaction=t reason=\(reason)")
                .expectPinned(WithdrawalHasAReason.self)
        }
        let withdrawn = "delivery.withdrawn account=a transaction=u reason=upgraded"
        try Timeline("\(plans)\n\(withdrawn) ← withdrawal-has-a-reason")
            .expectPinned(WithdrawalHasAReason.self)
    }
}
