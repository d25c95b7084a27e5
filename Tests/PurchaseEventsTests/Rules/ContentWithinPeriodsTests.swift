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
