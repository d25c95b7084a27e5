import Testing

@testable import PurchaseProjections

@Suite struct RefundGrantsNothingTests {
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
