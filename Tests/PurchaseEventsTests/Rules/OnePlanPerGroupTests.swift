import Testing

@testable import PurchaseProjections

@Suite struct OnePlanPerGroupTests {
    private func plan(
        _ transaction: String, _ start: String, _ end: String, _ more: String = "group=g"
    ) -> String {
        "receipt.listed account=a transaction=\(transaction) product=\(transaction) "
            + "purchasedAt=\(start) expiresAt=\(end) \(more)"
    }

    @Test func `a second plan of a group starts after the first`() throws {
        try Timeline(
            """
            \(plan("t", "2026-01-01", "2026-02-01"))
            \(plan("u", "2026-01-31T23:59:59.999Z", "2026-03-01")) ← one-plan-per-group
            """
        ).expectPinned(OnePlanPerGroup.self)
        try Timeline(
            "\(plan("t", "2026-01-01", "2026-02-01"))\n\(plan("u", "2026-02-01", "2026-03-01"))"
        )
        .expectPinned(OnePlanPerGroup.self)
    }

    @Test func `only the start is found, where the log first shows both`() throws {
        try Timeline(
            """
            \(plan("u", "2026-01-10", "2026-02-10"))
            \(plan("v", "2026-02-10", "2026-03-10", "group=g original=u"))
            \(plan("t", "2026-01-01", "2026-02-20")) ← one-plan-per-group
            """
        ).expectPinned(OnePlanPerGroup.self)
    }

    @Test func `other groups, accounts, environments and the family's plans don't count`() throws {
        let others = [
            "group=h", "", "group=g environment=sandbox", "group=g ownership=familyShared",
        ]
        for other in others {
            try Timeline(
                """
                \(plan("t", "2026-01-01", "2026-02-01"))
                \(plan("u", "2026-01-10", "2026-02-10", other))
                receipt.listed account=b transaction=v group=g purchasedAt=2026-01-10 \
                    expiresAt=2026-02-10
                """
            ).expectPinned(OnePlanPerGroup.self)
        }
    }

    @Test func `a renewal of a seat is a seat too, unless a statement says otherwise`() throws {
        let seat = """
            \(plan("s", "2026-01-01", "2026-02-01", "group=g ownership=assigned"))
            \(plan("t", "2026-01-10", "2026-04-10"))
            """
        let renewal = "original=s group=g"
        try Timeline("\(seat)\n\(plan("v", "2026-02-02", "2026-03-02", renewal))")
            .expectPinned(OnePlanPerGroup.self)
        try Timeline(
            """
            \(seat)
            \(plan("v", "2026-02-02", "2026-03-02", "\(renewal) ownership=purchased")) \
                ← one-plan-per-group
            """
        ).expectPinned(OnePlanPerGroup.self)
    }

    @Test func `what was refunded or upgraded away has ended, though it is known later`() throws {
        try Timeline(
            """
            \(plan("t", "2026-01-01", "2026-02-01"))
            \(plan("u", "2026-01-10", "2026-02-10"))
            cancellation.refunded transaction=t cancelledAt=2026-01-10
            """
        ).expectPinned(OnePlanPerGroup.self)
    }

    @Test func `what came by a link doesn't count`() throws {
        try Timeline(
            """
            \(plan("t", "2026-01-01", "2026-02-01"))
            receipt.listed account=b transaction=v group=g purchasedAt=2026-01-10 \
                expiresAt=2026-02-10
            account.linked account=a original=v
            """
        ).expectPinned(OnePlanPerGroup.self)
    }

    @Test func `what came by a link runs from then on`() throws {
        let other = plan("v", "2026-02-01", "2026-03-01").replacing("account=a", with: "account=b")
        for (start, pin) in [("2026-02-15", " ← one-plan-per-group"), ("2026-02-03", "")] {
            let timeline = Timeline(
                """
                \(other)
                account.linked account=a original=v at=2026-02-05
                \(plan("u", start, "2026-03-15"))\(pin)
                """)
            try timeline.expectPinned(OnePlanPerGroup.self)
        }
    }

    @Test func `a link in tests moves no production subscription`() throws {
        let other = plan("v", "2026-02-01", "2026-03-01").replacing("account=a", with: "account=b")
        try Timeline(
            """
            \(other)
            account.linked account=a original=v at=2026-02-05 environment=sandbox
            \(plan("u", "2026-02-15", "2026-03-15"))
            """
        ).expectPinned(OnePlanPerGroup.self)
    }

    @Test func `a link found out later is where the finding is`() throws {
        let other = plan("v", "2026-02-01", "2026-03-01").replacing("account=a", with: "account=b")
        let timeline = Timeline(
            """
            \(plan("u", "2026-02-15", "2026-03-15"))
            \(other)
            account.linked account=a original=v at=2026-02-05 ← one-plan-per-group
            """)
        try timeline.expectPinned(OnePlanPerGroup.self)
        let finding = try timeline.reports([OnePlanPerGroup.self])[0].report.findings.first
        #expect(finding?.notes.map(\.line) == [3, 2])
    }

    @Test func `a link to whom a subscription belongs changes nothing`() throws {
        try Timeline(
            """
            \(plan("t", "2026-01-01", "2026-02-01"))
            \(plan("u", "2026-01-10", "2026-02-10")) ← one-plan-per-group
            account.linked account=a original=u at=2026-01-12
            """
        ).expectPinned(OnePlanPerGroup.self)
    }

    @Test func `a plan that was linked away counts up to then`() throws {
        for (start, pin) in [("2026-01-10", " ← one-plan-per-group"), ("2026-01-20", "")] {
            try Timeline(
                """
                \(plan("t", "2026-01-01", "2026-02-01"))
                \(start < "2026-01-15" ? plan("u", start, "2026-02-10") + pin : "# later")
                account.linked account=b original=t at=2026-01-15
                \(start < "2026-01-15" ? "# before" : plan("u", start, "2026-02-10"))
                """
            ).expectPinned(OnePlanPerGroup.self)
        }
    }

    @Test func `the account that a later statement names had the subscription before its link`()
        throws
    {
        let unowned = plan("v", "2026-01-05", "2026-02-05").replacing("account=a ", with: "")
        try Timeline(
            """
            \(plan("t", "2026-01-01", "2026-02-01"))
            \(unowned) ← one-plan-per-group
            account.linked account=a original=v at=2026-01-06
            \(plan("w", "2026-02-05", "2026-03-05", "group=g original=v"))
            """
        ).expectPinned(OnePlanPerGroup.self)
    }

    @Test func `of three plans each start in another's time is found`() throws {
        try Timeline(
            """
            \(plan("t", "2026-01-01", "2026-06-01"))
            \(plan("u", "2026-02-01", "2026-03-01")) ← one-plan-per-group
            \(plan("v", "2026-04-01", "2026-05-01")) ← one-plan-per-group
            """
        ).expectPinned(OnePlanPerGroup.self)
    }

    @Test func `in a log that starts in the middle an end may be missing`() throws {
        let text = """
            unopened
            \(plan("t", "2026-01-01", "2026-02-01"))
            \(plan("u", "2026-01-10", "2026-02-10"))
            """
        #expect(try Timeline(text).verdict(OnePlanPerGroup.self) == .undetermined)
    }

    @Test func `each start is a test`() throws {
        let report = try Timeline(
            """
            \(plan("t", "2026-01-01", "2026-02-01"))
            \(plan("u", "2026-02-01", "2026-03-01", "group=g original=t"))
            \(plan("v", "2026-04-01", "2026-05-01", "group=g original=t"))
            """
        ).reports([OnePlanPerGroup.self])[0].report
        #expect(report.tested == 2)
    }

    @Test func `a subscription that begins with a renewal of another one is found`() throws {
        let renewal =
            "renewal.renewed account=a group=g purchasedAt=2026-02-01 expiresAt=2026-03-01"
        try Timeline(
            """
            \(plan("t", "2026-01-01", "2026-02-01"))
            \(renewal) transaction=u original=t product=t
            \(renewal) transaction=v original=v product=t ← one-plan-per-group
            """
        ).expectPinned(OnePlanPerGroup.self)
        try Timeline(
            """
            \(plan("t", "2026-01-01", "2026-02-01"))
            \(renewal) transaction=v original=v product=t
            \(renewal) transaction=u original=t product=t ← one-plan-per-group
            """
        ).expectPinned(OnePlanPerGroup.self)
    }

    @Test
    func `a subscription belongs to the account that later statements name, also before a link`()
        throws
    {
        let dates = "purchasedAt=2026-01-01 expiresAt=2026-03-01"
        try Timeline(
            """
            receipt.listed transaction=t product=t \(dates) group=g
            account.linked account=a original=t at=2026-02-01
            receipt.listed account=a transaction=t product=t \(dates) group=g
            \(plan("u", "2026-01-10", "2026-02-10")) ← one-plan-per-group
            """
        ).expectPinned(OnePlanPerGroup.self)
    }
}
