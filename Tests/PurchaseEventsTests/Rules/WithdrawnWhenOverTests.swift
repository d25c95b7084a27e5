import Testing

@testable import PurchaseProjections

@Suite struct WithdrawnWhenOverTests {
    private let monthly = """
        receipt.listed account=a transaction=t product=monthly purchasedAt=2026-01-01 \
            expiresAt=2026-02-01
        delivery.delivered account=a transaction=t
        """

    @Test func `an expired product is withdrawn before it is unlocked again`() throws {
        try Timeline(
            """
            \(monthly)
            delivery.unlocked account=a product=monthly at=2026-01-31T23:59:59.999Z
            delivery.unlocked account=a product=monthly at=2026-02-01 ← withdrawn-when-over
            delivery.withdrawn account=a transaction=t reason=expired
            delivery.unlocked account=a product=monthly
            """
        ).expectPinned(WithdrawnWhenOver.self)
    }

    @Test func `a renewal attested later counts`() throws {
        try Timeline(
            """
            \(monthly)
            delivery.unlocked account=a product=monthly at=2026-02-02
            receipt.listed account=a transaction=u original=t product=monthly \
                purchasedAt=2026-02-01 expiresAt=2026-03-01
            """
        ).expectPinned(WithdrawnWhenOver.self)
    }

    @Test func `access after a grace period is left to another rule`() throws {
        try Timeline(
            """
            \(monthly)
            renewal.failed account=a original=t graceExpiresAt=2026-02-10 at=2026-02-01
            delivery.unlocked account=a product=monthly at=2026-02-11 ← retry-is-bounded
            """
        ).expectPinned(WithdrawnWhenOver.self, RetryIsBounded.self)
    }

    @Test func `a purchase without a known owner counts for its recipient`() throws {
        let unowned = monthly.replacing("receipt.listed account=a", with: "receipt.listed")
        try Timeline(
            """
            \(unowned)
            delivery.unlocked account=a product=monthly
            delivery.unlocked account=a product=monthly at=2026-02-01 ← withdrawn-when-over
            delivery.unlocked account=b product=monthly
            """
        ).expectPinned(WithdrawnWhenOver.self)
        let other = "receipt.listed transaction=u product=monthly expiresAt=2026-03-01"
        let both = Timeline(
            "\(unowned)\n\(other)\ndelivery.unlocked account=a product=monthly at=2026-02-01")
        #expect(try both.verdict(WithdrawnWhenOver.self) == .undetermined)
    }

    @Test func `each use is judged by the deliveries and withdrawals before it`() throws {
        try Timeline(
            """
            \(monthly)
            delivery.withdrawn account=a transaction=t reason=expired at=2026-02-01
            delivery.withdrawn account=a transaction=t reason=expired
            delivery.unlocked account=a product=monthly at=2026-02-02
            delivery.delivered account=a transaction=t at=2026-02-03
            delivery.unlocked account=a product=monthly ← withdrawn-when-over
            delivery.withdrawn account=a transaction=t reason=expired
            delivery.unlocked account=a product=monthly
            """
        ).expectPinned(WithdrawnWhenOver.self)
    }

    @Test func `an end that the app set later excuses no use before it`() throws {
        let pass = """
            catalog.listed product=season kind=nonRenewing
            queue.purchased account=a transaction=t product=season
            delivery.delivered account=a transaction=t until=2026-02-10
            delivery.unlocked account=a product=season at=2026-02-12
            """
        let later = """
            delivery.withdrawn account=a transaction=t reason=expired at=2026-02-13
            delivery.delivered account=a transaction=t until=2026-02-20
            """
        try Timeline("\(pass) ← withdrawn-when-over\n\(later)")
            .expectPinned(WithdrawnWhenOver.self)
        try Timeline(
            "\(pass)\n\(later)\n"
                + "queue.purchased account=a transaction=u product=season purchasedAt=2026-02-11"
        ).expectPinned(WithdrawnWhenOver.self)
    }

    @Test func `a restore that ends with its original is tested where reported`() throws {
        let report = try Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            queue.purchased account=a transaction=t product=pro
            queue.restored account=a transaction=u original=t product=pro
            delivery.delivered account=a transaction=u
            cancellation.refunded transaction=t
            delivery.unlocked account=a product=pro
            """
        ).reports([WithdrawnWhenOver.self])[0].report
        #expect(report.verdict == .violated)
        #expect(report.tested == 1)
    }

    @Test func `in a log that starts in the middle a renewal may be missing`() throws {
        let text = "unopened\n\(monthly)\ndelivery.unlocked account=a product=monthly at=2026-02-01"
        #expect(try Timeline(text).verdict(WithdrawnWhenOver.self) == .undetermined)
    }

    @Test func `each end of a granted product is a test`() throws {
        let report = try Timeline(
            """
            \(monthly)
            receipt.listed account=a transaction=u original=t product=monthly \
                purchasedAt=2026-02-01 expiresAt=2026-03-01
            delivery.delivered account=a transaction=u
            app.launched at=2026-02-02
            """
        ).reports([WithdrawnWhenOver.self])[0].report
        #expect(report.tested == 1)
    }

    @Test func `the notes name the original that was refunded`() throws {
        let report = try Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            queue.restored account=a transaction=r original=t product=pro purchasedAt=2026-01-01
            delivery.delivered account=a transaction=r
            cancellation.refunded transaction=t cancelledAt=2026-01-02 at=2026-01-02
            delivery.unlocked account=a product=pro
            """
        ).reports([WithdrawnWhenOver.self])[0].report
        let note = report.findings.first?.notes.dropFirst().first
        #expect(note?.line == 5)
        #expect(
            note?.message == "then transaction t was refunded as of 2026-01-02T00:00:00.000Z")
    }

    private let season = """
        catalog.listed product=season kind=nonRenewing
        queue.purchased account=a transaction=t product=season
        delivery.delivered account=a transaction=t until=2026-02-01
        """

    @Test func `content is not opened by access past the end that the app set`() throws {
        let timeline = Timeline(
            """
            \(season)
            content.opened account=a content=c at=2026-01-31
            content.opened account=a content=c at=2026-02-01 ← withdrawn-when-over
            content.opened account=b content=c
            delivery.withdrawn account=a transaction=t reason=expired
            content.opened account=a content=c
            """)
        try timeline.expectPinned(WithdrawnWhenOver.self)
        let finding = try timeline.reports([WithdrawnWhenOver.self])[0].report.findings.first
        #expect(finding?.key == "t")
        #expect(finding?.message.contains("was opened") == true)
    }

    @Test func `content is open while anything else allows it`() throws {
        for more in [
            "receipt.listed account=a transaction=u product=monthly purchasedAt=2026-01-25 "
                + "expiresAt=2026-03-01",
            "queue.purchased account=a transaction=u product=season purchasedAt=2026-01-20",
            "content.published content=c publishedAt=2026-01-10",
            "cancellation.refunded transaction=t cancelledAt=2026-01-20",
        ] {
            let opened = "content.opened account=a content=c at=2026-02-10"
            try Timeline("\(season)\n\(more)\n\(opened)").expectPinned(WithdrawnWhenOver.self)
            guard !more.hasPrefix("cancellation") else { continue }
            try Timeline("\(season)\n\(opened)\n\(more)").expectPinned(WithdrawnWhenOver.self)
        }
    }

    @Test func `the notes begin with what was bought`() throws {
        let report = try Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            queue.purchased account=a transaction=t product=pro
            cancellation.refunded transaction=t
            queue.restored account=a transaction=r original=t product=pro
            delivery.delivered account=a transaction=r
            delivery.unlocked account=a product=pro
            """
        ).reports([WithdrawnWhenOver.self])[0].report
        let notes = report.findings.first?.notes ?? []
        #expect(notes.map(\.line) == [3, 5, 4, 6])
        #expect(
            notes.map { $0.message.prefix(4) } == ["let ", "let ", "then", "then"])
    }

    @Test func `what is over and stands is found, whatever ended later`() throws {
        let lines = """
            receipt.listed account=a transaction=t product=paper purchasedAt=2026-01-01 expiresAt=2026-02-01
            delivery.delivered account=a transaction=t
            receipt.listed account=a transaction=u product=paper purchasedAt=2026-01-10 expiresAt=2026-02-10
            """
        let use = "delivery.unlocked account=a product=paper at=2026-03-01"
        try Timeline("\(lines)\n\(use) ← withdrawn-when-over").expectPinned(WithdrawnWhenOver.self)
        try Timeline(
            """
            \(lines)
            delivery.delivered account=a transaction=u
            delivery.withdrawn account=a transaction=u reason=expired
            \(use) ← withdrawn-when-over
            delivery.withdrawn account=a transaction=t reason=expired
            \(use)
            """
        ).expectPinned(WithdrawnWhenOver.self)
    }
}
