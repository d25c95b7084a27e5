import Testing

@testable import PurchaseProjections

@Suite struct RetryIsBoundedTests {
    private let start = """
        receipt.listed account=a transaction=t product=p purchasedAt=2026-01-01 expiresAt=2026-02-01
        renewal.failed account=a original=t retrying=true at=2026-02-01
        """

    private func recovered(_ start: String) -> String {
        "renewal.renewed account=a transaction=u original=t product=p recovered=true "
            + "purchasedAt=\(start) expiresAt=2026-06-01"
    }

    @Test func `a retry lasts sixty days and no longer`() throws {
        try Timeline("\(start)\n\(recovered("2026-04-02"))").expectPinned(RetryIsBounded.self)
        try Timeline(
            """
            \(start)
            \(recovered("2026-04-02T00:00:00.001Z")) ← retry-is-bounded
            """
        ).expectPinned(RetryIsBounded.self)
    }

    @Test func `a failure with more retries comes within sixty days of the first`() throws {
        try Timeline(
            """
            \(start)
            renewal.failed original=t at=2026-03-01
            renewal.failed original=t retrying=true at=2026-04-03 ← retry-is-bounded
            renewal.failed original=t retrying=false at=2026-04-10
            """
        ).expectPinned(RetryIsBounded.self)
    }

    @Test func `a renewal or expiry in between restarts the 60 days`()
        throws
    {
        try Timeline(
            """
            \(start)
            renewal.failed original=t retrying=true at=2026-05-01
            \(recovered("2026-02-10"))
            """
        ).expectPinned(RetryIsBounded.self)
        try Timeline(
            """
            \(start)
            renewal.expired original=t reason=billing at=2026-04-01
            \(recovered("2026-05-01"))
            """
        ).expectPinned(RetryIsBounded.self)
    }

    @Test func `a new subscription is not a retry`() throws {
        try Timeline(
            """
            \(start)
            renewal.started account=a transaction=u original=t purchasedAt=2026-05-01 \
                expiresAt=2026-06-01
            """
        ).expectPinned(RetryIsBounded.self)
    }

    @Test func `access without a grace period is left to other rules`() throws {
        try Timeline("\(start)\ncontent.opened account=a content=c at=2026-02-02")
            .expectPinned(RetryIsBounded.self)
    }

    @Test func `in a log that starts in the middle a renewal may be missing`() throws {
        try Timeline("unopened\n\(start)\n\(recovered("2026-05-01")) ← retry-is-bounded")
            .expectPinned(RetryIsBounded.self)
        let grace = Timeline(
            """
            unopened
            receipt.listed account=a transaction=t product=p purchasedAt=2026-01-01 \
                expiresAt=2026-02-01
            renewal.failed account=a original=t graceExpiresAt=2026-02-17 at=2026-02-01
            content.opened account=a content=c at=2026-02-17
            """)
        #expect(try grace.verdict(RetryIsBounded.self) == .undetermined)
    }

    @Test func `each failed renewal is a test`() throws {
        let report = try Timeline(start).reports([RetryIsBounded.self])[0].report
        #expect(report.tested == 1)
    }

    @Test func `a retry without an end is noted at the last line that names it`()
        throws
    {
        let report = { (text: String) in
            try Timeline(text).reports([RetryIsBounded.self])[0].report
        }
        let later = "app.launched at=2026-04-02T00:00:00.001Z"
        let open = try report("\(start)\nrenewal.failed original=t retrying=true\n\(later)")
        #expect(open.findings.map(\.level) == [.note])
        #expect(open.findings.map(\.line) == [4])
        #expect(open.findings.map(\.key) == ["t"])
        #expect(open.findings.map { $0.notes.map(\.line) } == [[3]])
        #expect(open.verdict == .holds)
        let ended = [
            "app.launched at=2026-04-02", "renewal.expired original=t reason=billing\n\(later)",
            "renewal.failed original=t retrying=false\n\(later)",
            "renewal.turnedOff original=t\n\(later)",
        ]
        for text in ended { #expect(try report("\(start)\n\(text)").findings.isEmpty) }
        let torn = try report("\(start)\nwhat is this\n\(later)")
        #expect(torn.findings.isEmpty && torn.verdict == .undetermined)
    }

    @Test func `renewal that was turned off is on again after a new start`() throws {
        let report = try Timeline(
            """
            renewal.started transaction=t original=t purchasedAt=2026-01-01 expiresAt=2026-02-01
            renewal.turnedOff original=t at=2026-01-10
            renewal.expired original=t reason=cancelled at=2026-02-01
            renewal.started transaction=u original=t purchasedAt=2026-03-01 \
                expiresAt=2026-04-01 at=2026-03-01
            renewal.failed original=t retrying=true at=2026-04-01
            app.launched at=2026-07-01
            """
        ).reports([RetryIsBounded.self])[0].report
        #expect(report.findings.map(\.level) == [.note])
        #expect(report.findings.map(\.line) == [6])
    }

    @Test func `a period that ends before it starts ends no retry`() throws {
        let report = try Timeline(
            """
            renewal.started transaction=t original=t purchasedAt=2026-01-01 expiresAt=2026-02-01
            renewal.failed original=t retrying=true at=2026-02-01
            receipt.listed transaction=u original=t purchasedAt=2026-02-15 expiresAt=2026-02-14
            renewal.failed original=t retrying=true at=2026-04-15
            """
        ).reports([RetryIsBounded.self])[0].report
        #expect(report.findings.map(\.line).contains(5))
    }
}
