import Testing

@testable import PurchaseProjections

@Suite struct RefundGrantsNothingTests {
    @Test func `a refunded purchase is not delivered until the refund is reversed`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t kind=nonConsumable
            delivery.delivered account=a transaction=t
            cancellation.refunded transaction=t
            delivery.delivered account=a transaction=t ← refund-grants-nothing
            cancellation.reversed transaction=t
            delivery.delivered account=a transaction=t
            """
        ).expectPinned(RefundGrantsNothing.self)
    }

    @Test func `a revocation and a cancellation date in a receipt count`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t kind=nonConsumable cancelledAt=2026-01-01
            cancellation.revoked transaction=u
            delivery.delivered account=a transaction=t ← refund-grants-nothing
            delivery.delivered account=a transaction=u ← refund-grants-nothing
            """
        ).expectPinned(RefundGrantsNothing.self)
    }

    @Test func `asking for a refund and declining it change nothing`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t kind=nonConsumable
            cancellation.requested transaction=t
            cancellation.declined transaction=t
            delivery.delivered account=a transaction=t
            content.opened account=a content=c
            """
        ).expectPinned(RefundGrantsNothing.self)
    }

    @Test func `an upgrade is not a refund`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t purchasedAt=2026-01-01 expiresAt=2026-02-01 \
                cancelledAt=2026-01-10 upgraded=true
            delivery.delivered account=a transaction=t
            """
        ).expectPinned(RefundGrantsNothing.self)
    }

    @Test func `content that only a refunded purchase opened is not opened`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t kind=nonConsumable
            receipt.listed account=b transaction=u purchasedAt=2026-01-01 expiresAt=2026-03-01
            content.opened account=a content=c
            cancellation.refunded transaction=t
            cancellation.refunded transaction=u percent=50000
            content.opened account=a content=c ← refund-grants-nothing
            content.opened account=b content=c ← refund-grants-nothing
            cancellation.reversed transaction=t
            content.opened account=a content=c
            """
        ).expectPinned(RefundGrantsNothing.self)
    }

    @Test func `another purchase still opens the content, even if attested later`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t kind=nonRenewing
            receipt.listed account=a transaction=u kind=nonRenewing
            receipt.listed account=b transaction=v kind=nonRenewing
            cancellation.refunded transaction=t
            cancellation.refunded transaction=v
            content.opened account=a content=c
            content.opened account=b content=c
            receipt.listed account=b transaction=w purchasedAt=2026-01-01 expiresAt=2026-03-01
            """
        ).expectPinned(RefundGrantsNothing.self)
    }

    @Test func `an issue that only a refunded period opened is not opened`() throws {
        try Timeline(
            """
            content.published content=issue product=product-1 publishedAt=2026-01-02
            receipt.listed account=a transaction=t purchasedAt=2026-01-01 expiresAt=2026-02-01
            content.opened account=a content=issue at=2026-01-03
            cancellation.refunded transaction=t
            content.opened account=a content=issue ← refund-grants-nothing
            """
        ).expectPinned(RefundGrantsNothing.self, ContentWithinPeriods.self)
    }

    @Test func `a refund that became known later is nobody's fault`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t kind=nonConsumable
            delivery.delivered account=a transaction=t at=2026-01-03
            content.opened account=a content=c
            cancellation.refunded transaction=t cancelledAt=2026-01-02
            """
        ).expectPinned(RefundGrantsNothing.self, GrantedImpliesOwed.self)
    }

    @Test func `a reversal that was stated later wins, in whatever order they arrive`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t kind=nonConsumable
            cancellation.reversed transaction=t at=2026-01-05
            cancellation.refunded transaction=t cancelledAt=2026-01-02
            delivery.delivered account=a transaction=t
            """
        ).expectPinned(RefundGrantsNothing.self)
    }

    @Test func `the restore of a refunded original opens nothing`() throws {
        try Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            queue.restored account=a transaction=r original=t product=pro
            cancellation.refunded transaction=t
            content.opened account=a content=c ← refund-grants-nothing
            """
        ).expectPinned(RefundGrantsNothing.self, GrantedImpliesOwed.self)
    }

    @Test func `a second reversal changes nothing`() throws {
        try Timeline(
            """
            receipt.listed transaction=t kind=nonConsumable purchasedAt=2026-01-01
            cancellation.refunded transaction=t cancelledAt=2026-01-01
            content.opened content=c ← refund-grants-nothing
            cancellation.reversed transaction=t
            content.opened content=c
            cancellation.reversed transaction=t
            """
        ).expectPinned(RefundGrantsNothing.self)
    }

    @Test func `a purchase refunded twice grants between the two refunds`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t purchasedAt=2026-02-01 expiresAt=2026-03-01
            cancellation.refunded transaction=t cancelledAt=2026-02-05 at=2026-02-05
            content.opened account=a content=c at=2026-02-06 ← refund-grants-nothing
            content.opened content=c ← refund-grants-nothing
            cancellation.reversed transaction=t at=2026-02-07
            content.opened account=a content=c at=2026-02-08
            cancellation.refunded transaction=t cancelledAt=2026-02-09 at=2026-02-09
            content.opened account=a content=c at=2026-02-10 ← refund-grants-nothing
            cancellation.reversed transaction=t at=2026-02-11
            content.opened account=a content=c at=2026-02-12
            """
        ).expectPinned(RefundGrantsNothing.self, GrantedImpliesOwed.self)
    }

    @Test func `a reversed refund with a later date leaves earlier uses alone`() throws {
        try Timeline(
            """
            cancellation.refunded transaction=t cancelledAt=2026-02-09 at=2026-02-05
            content.opened account=a content=c at=2026-02-06
            content.opened account=a content=c at=2026-02-09 ← refund-grants-nothing
            receipt.listed account=a transaction=t purchasedAt=2026-02-01 expiresAt=2026-03-01
            cancellation.reversed transaction=t at=2026-02-10
            """
        ).expectPinned(RefundGrantsNothing.self, GrantedImpliesOwed.self)
    }

    @Test func `a purchase linked away later was refunded for its buyer`() throws {
        try Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            queue.purchased account=a transaction=t product=pro purchasedAt=2026-02-01
            cancellation.refunded transaction=t cancelledAt=2026-02-02 at=2026-02-02
            content.opened account=a content=c at=2026-02-03 ← refund-grants-nothing
            account.linked account=b original=t at=2026-02-04
            """
        ).expectPinned(RefundGrantsNothing.self, GrantedImpliesOwed.self)
    }

    @Test func `the notes name the original that was refunded, once`() throws {
        let report = try Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            cancellation.refunded transaction=t cancelledAt=2026-01-01
            queue.restored account=a transaction=r1 original=t product=pro purchasedAt=2026-01-01
            queue.restored account=a transaction=r2 original=t product=pro purchasedAt=2026-01-01
            content.opened account=a content=c
            """
        ).reports([RefundGrantsNothing.self])[0].report
        let notes = report.findings.flatMap { $0.notes }
        #expect(notes.map { $0.line }.sorted() == [3, 4, 5])
        #expect(
            notes.last?.message
                == "then transaction t was refunded as of 2026-01-01T00:00:00.000Z")
    }

    @Test func `the notes name the refund that was known when content was opened`() throws {
        let report = try Timeline(
            """
            receipt.listed account=a transaction=t purchasedAt=2026-02-01 expiresAt=2026-03-01
            cancellation.revoked transaction=t cancelledAt=2026-02-05 at=2026-02-05
            content.opened account=a content=c at=2026-02-06
            cancellation.reversed transaction=t at=2026-02-07
            """
        ).reports([RefundGrantsNothing.self])[0].report
        let note = report.findings.first?.notes.last
        #expect(note?.line == 3)
        #expect(
            note?.message == "then transaction t was revoked as of 2026-02-05T00:00:00.000Z")
    }

    @Test func `a use without an account is allowed by what anyone has`() throws {
        try Timeline(
            """
            receipt.listed transaction=t kind=nonConsumable
            cancellation.refunded transaction=t
            content.opened content=c ← refund-grants-nothing
            receipt.listed transaction=u purchasedAt=2026-01-02 expiresAt=2026-03-01
            content.opened content=c at=2026-01-02
            """
        ).expectPinned(RefundGrantsNothing.self, GrantedImpliesOwed.self)
    }

    @Test func `in a log that starts in the middle the delivery after a refund stands`() throws {
        try Timeline(
            """
            unopened
            cancellation.refunded transaction=t
            delivery.delivered transaction=t ← refund-grants-nothing
            """
        ).expectPinned(RefundGrantsNothing.self)
        let older = Timeline(
            """
            unopened
            app.launched
            cancellation.refunded transaction=t cancelledAt=2025-12-01
            delivery.delivered transaction=t
            """)
        #expect(try older.verdict(RefundGrantsNothing.self) == .undetermined)
        let opening = Timeline(
            """
            unopened
            receipt.listed account=a transaction=t kind=nonConsumable
            cancellation.refunded transaction=t
            content.opened account=a content=c
            """)
        #expect(try opening.verdict(RefundGrantsNothing.self) == .undetermined)
    }

    @Test func `each refund is a test`() throws {
        let report = try Timeline(
            """
            receipt.listed transaction=t kind=nonConsumable
            cancellation.refunded transaction=t
            receipt.listed transaction=t kind=nonConsumable cancelledAt=2026-01-01
            cancellation.revoked transaction=u
            """
        ).reports([RefundGrantsNothing.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }

    @Test
    func `the restore of a refunded original is not delivered`()
        throws
    {
        let timeline = Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            queue.purchased account=a transaction=t product=pro
            cancellation.refunded transaction=t
            queue.restored account=a transaction=r original=t product=pro
            delivery.delivered account=a transaction=r ← refund-grants-nothing
            content.opened account=a content=c
            delivery.withdrawn account=a transaction=r reason=refunded
            content.opened account=a content=c ← refund-grants-nothing
            cancellation.reversed transaction=t
            delivery.delivered account=a transaction=r
            content.opened account=a content=c
            """)
        try timeline.expectPinned(RefundGrantsNothing.self)
        let report = try timeline.reports([RefundGrantsNothing.self])[0].report
        let finding = report.findings.first { $0.line == 6 }
        #expect(finding?.key == "r")
        #expect(finding?.message.contains("transaction t, which it restores,") == true)
        #expect(finding?.notes.map(\.line) == [3, 5, 4])
        #expect(finding?.notes[1].message.hasPrefix("let transaction r be restored: pro") == true)
    }

    @Test func `a restored subscription is not refunded with one period of its line`() throws {
        try Timeline(
            """
            catalog.listed product=m kind=autoRenewable
            receipt.listed transaction=s1 product=m purchasedAt=2026-01-01 expiresAt=2026-02-01
            receipt.listed transaction=s2 original=s1 product=m purchasedAt=2026-02-01 \
                expiresAt=2026-03-01
            cancellation.refunded transaction=s1
            queue.restored transaction=r original=s1 product=m at=2026-02-02
            delivery.delivered transaction=r
            content.opened content=c
            """
        ).expectPinned(RefundGrantsNothing.self)
    }

    @Test func `an end date tells that a restored purchase is a subscription`() throws {
        let story = """
            receipt.listed transaction=t1 product=paper purchasedAt=2026-01-01 expiresAt=2026-02-01
            receipt.listed transaction=t2 original=t1 product=paper purchasedAt=2026-02-01 expiresAt=2026-03-01
            cancellation.refunded transaction=t1 cancelledAt=2026-01-05
            queue.restored transaction=t3 original=t1 product=paper at=2026-02-03
            delivery.delivered transaction=t3
            """
        try Timeline(story).expectPinned(RefundGrantsNothing.self)
        try Timeline(
            """
            receipt.listed transaction=t1 product=songs
            cancellation.refunded transaction=t1
            queue.restored transaction=t3 original=t1 product=songs
            delivery.delivered transaction=t3 ← refund-grants-nothing
            receipt.listed transaction=t4 product=paper
            cancellation.refunded transaction=t4
            queue.restored transaction=t5 original=t4 product=paper
            delivery.delivered transaction=t5
            catalog.listed product=paper kind=autoRenewable
            """
        ).expectPinned(RefundGrantsNothing.self)
    }
}
