import Testing

@testable import PurchaseProjections

@Suite struct ContentWithinPeriodsTests {
    /// The guide's first timeline (G6.4).
    private let issues = (2...7).map {
        "content.published content=issue-\($0) group=magazine publishedAt=2026-0\($0)-01"
    }.joined(separator: "\n")
    private let periods = """
        renewal.started account=a transaction=t original=t group=magazine purchasedAt=2026-02-20 \
            expiresAt=2026-03-20
        renewal.renewed account=a transaction=u original=t group=magazine purchasedAt=2026-03-20 \
            expiresAt=2026-04-20
        renewal.started account=a transaction=v original=t group=magazine purchasedAt=2026-06-17 \
            expiresAt=2026-07-17
        """

    @Test func `the guide's first timeline, whichever comes first`() throws {
        let openings = """
            content.opened account=a content=issue-2 at=2026-08-01
            content.opened account=a content=issue-3
            content.opened account=a content=issue-4
            content.opened account=a content=issue-5 ← content-within-periods
            content.opened account=a content=issue-6
            content.opened account=a content=issue-7
            content.opened account=b content=issue-7 ← content-within-periods
            """
        for text in [
            "\(issues)\n\(periods)\n\(openings)", "\(periods)\n\(issues)\n\(openings)",
            "\(issues)\n\(openings)\n\(periods)", "\(openings)\n\(issues)\n\(periods)",
        ] {
            try Timeline(text).expectPinned(ContentWithinPeriods.self, GrantedImpliesOwed.self)
        }
    }

    @Test func `the newest at the start is readable once the period has begun`() throws {
        try Timeline(
            """
            \(issues)
            \(periods)
            content.opened account=a content=issue-2 at=2026-02-19 ← content-within-periods
            content.opened account=a content=issue-2 at=2026-02-20
            """
        ).expectPinned(ContentWithinPeriods.self)
    }

    @Test func `a period is half open`() throws {
        try Timeline(
            """
            content.published content=at-the-start product=product-1 publishedAt=2026-02-20
            content.published content=before-the-end product=product-1 \
                publishedAt=2026-03-19T23:59:59.999Z
            content.published content=at-the-end product=product-1 publishedAt=2026-03-20
            receipt.listed account=a transaction=t purchasedAt=2026-02-20 expiresAt=2026-03-20
            content.opened account=a content=at-the-start at=2026-05-01
            content.opened account=a content=before-the-end
            content.opened account=a content=at-the-end ← content-within-periods
            """
        ).expectPinned(ContentWithinPeriods.self)
    }

    @Test func `the period is of the content's product or group`() throws {
        try Timeline(
            """
            content.published content=of-product product=weekly publishedAt=2026-02-21
            content.published content=of-group group=other publishedAt=2026-02-21
            content.published content=of-all publishedAt=2026-02-21
            renewal.started account=a transaction=t original=t product=monthly group=magazine \
                purchasedAt=2026-02-20 expiresAt=2026-03-20
            content.opened account=a content=of-product at=2026-02-22 ← content-within-periods
            content.opened account=a content=of-group ← content-within-periods
            content.opened account=a content=of-all
            """
        ).expectPinned(ContentWithinPeriods.self)
    }

    @Test func `a permanent purchase opens the content published for it`() throws {
        try Timeline(
            """
            catalog.listed product=archive kind=nonConsumable
            content.published content=c product=archive publishedAt=2020-01-01
            content.published content=d group=magazine publishedAt=2026-01-01
            queue.purchased account=a transaction=t product=archive
            content.opened account=a content=c
            content.opened account=a content=d ← content-within-periods
            """
        ).expectPinned(ContentWithinPeriods.self)
    }

    @Test func `content published in a grace period may be read`() throws {
        try Timeline(
            """
            content.published content=c publishedAt=2026-03-25
            receipt.listed account=a transaction=t purchasedAt=2026-02-20 expiresAt=2026-03-20
            renewal.failed original=t graceExpiresAt=2026-04-01 at=2026-03-20
            content.opened account=a content=c at=2026-03-26
            """
        ).expectPinned(ContentWithinPeriods.self)
    }

    @Test func `environments never mix`() throws {
        try Timeline(
            """
            content.published content=c publishedAt=2026-02-21
            receipt.listed account=a environment=sandbox transaction=t purchasedAt=2026-02-20 \
                expiresAt=2026-03-20
            content.opened account=a content=c at=2026-02-22 ← content-within-periods
            """
        ).expectPinned(ContentWithinPeriods.self)
    }

    @Test func `a use without an account is allowed by what anyone has`() throws {
        try Timeline(
            """
            \(issues)
            \(periods)
            content.opened content=issue-2 at=2026-02-19 ← content-within-periods
            content.opened content=issue-2 at=2026-02-20
            content.opened content=issue-4 at=2026-08-01
            content.opened content=issue-5 ← content-within-periods
            """
        ).expectPinned(ContentWithinPeriods.self)
    }

    @Test
    func `the rule can't tell if a period's group is unknown or the log starts in the middle`()
        throws
    {
        let unknownGroup = Timeline(
            """
            content.published content=c group=magazine publishedAt=2026-02-21
            queue.purchased account=a transaction=t purchasedAt=2026-02-20 expiresAt=2026-03-20
            content.opened account=a content=c at=2026-02-22
            """)
        #expect(try unknownGroup.verdict(ContentWithinPeriods.self) == .undetermined)
        let middle = Timeline(
            """
            unopened
            content.published content=c group=magazine publishedAt=2026-02-21
            content.opened account=a content=c at=2026-02-22
            """)
        #expect(try middle.verdict(ContentWithinPeriods.self) == .undetermined)
    }

    @Test func `each opening of content with a date is a test`() throws {
        let report = try Timeline(
            """
            \(issues)
            \(periods)
            content.opened account=a content=issue-2 at=2026-08-01
            content.opened account=a content=issue-3
            content.opened account=a content=undated at=2026-03-01
            """
        ).reports([ContentWithinPeriods.self])[0].report
        #expect(report.tested == 2)
    }
}
