import Testing

@testable import PurchaseProjections

@Suite struct PlanChangeInTimeTests {
    private let catalogue = """
        catalog.listed product=basic kind=autoRenewable level=2
        catalog.listed product=best kind=autoRenewable level=1
        """

    private func period(
        _ transaction: String, _ product: String, _ start: String, _ end: String,
        _ type: String = "receipt.listed"
    ) -> String {
        "\(type) account=a transaction=\(transaction) original=t product=\(product) "
            + "purchasedAt=\(start) expiresAt=\(end)"
    }

    private func change(_ next: String, _ effect: String, _ at: String) -> String {
        "renewal.planChanged account=a original=t next=\(next) effect=\(effect) at=\(at)"
    }

    @Test func `the next renewal is of the new plan`() throws {
        let start = period("t", "best", "2026-01-01", "2026-02-01")
        let change = change("basic", "nextRenewal", "2026-01-10")
        let renewed = period("u", "basic", "2026-02-01", "2026-03-01")
        let unchanged = period("u", "best", "2026-02-01", "2026-03-01")
        for text in [
            "\(start)\n\(change)\n\(renewed)", "\(renewed)\n\(start)\n\(change)",
            "\(start)\n\(change)\n\(unchanged) ← plan-change-in-time",
            "\(unchanged) ← plan-change-in-time\n\(change)\n\(start)",
        ] {
            try Timeline(text).expectPinned(PlanChangeInTime.self)
        }
    }

    @Test func `a later change replaces the earlier one`() throws {
        try Timeline(
            """
            \(period("t", "best", "2026-01-01", "2026-02-01"))
            \(change("basic", "nextRenewal", "2026-01-10"))
            \(change("best", "nextRenewal", "2026-01-20"))
            \(period("u", "best", "2026-02-01", "2026-03-01"))
            """
        ).expectPinned(PlanChangeInTime.self)
    }

    @Test func `an upgrade replaces a deferred change, however late it is stated`() throws {
        let upgrade = period("u", "best", "2026-01-20", "2026-02-20", "queue.purchased")
        for said in ["2026-01-20T00:00:00.500Z", "2026-01-22"] {
            try Timeline(
                """
                \(catalogue)
                \(period("t", "basic", "2026-01-01", "2026-02-01"))
                \(change("other", "nextRenewal", "2026-01-10"))
                \(change("best", "now", said))
                \(upgrade)
                """
            ).expectPinned(PlanChangeInTime.self)
        }
    }

    @Test func `a change in the last day or before a start is excused`() throws {
        try Timeline(
            """
            \(period("t", "best", "2026-01-01", "2026-02-01"))
            \(change("basic", "nextRenewal", "2026-01-31"))
            \(period("u", "best", "2026-02-01", "2026-03-01"))
            """
        ).expectPinned(PlanChangeInTime.self)
        for (start, type) in [("2026-02-02", "renewal.started"), ("2026-02-01", "renewal.started")]
        {
            try Timeline(
                """
                \(period("t", "best", "2026-01-01", "2026-02-01"))
                \(change("basic", "nextRenewal", "2026-01-10"))
                \(period("u", "best", start, "2026-03-01", type))
                """
            ).expectPinned(PlanChangeInTime.self)
        }
    }

    @Test func `an upgrade is not deferred`() throws {
        try Timeline(
            """
            \(catalogue)
            \(period("t", "basic", "2026-01-01", "2026-02-01"))
            \(change("best", "nextRenewal", "2026-01-10")) ← plan-change-in-time
            \(period("u", "best", "2026-02-01", "2026-03-01"))
            """
        ).expectPinned(PlanChangeInTime.self)
    }

    @Test func `an immediate change takes effect within a day`() throws {
        let start = period("t", "basic", "2026-01-01", "2026-02-01")
        let change = change("best", "now", "2026-01-10")
        try Timeline("\(start)\n\(change)\n\(period("u", "best", "2026-01-10", "2026-02-10"))")
            .expectPinned(PlanChangeInTime.self)
        try Timeline(
            """
            \(start)
            \(change)
            \(period("u", "basic", "2026-02-01", "2026-03-01")) ← plan-change-in-time
            """
        ).expectPinned(PlanChangeInTime.self)
        try Timeline("\(start)\n\(change) ← plan-change-in-time\napp.launched at=2026-01-12")
            .expectPinned(PlanChangeInTime.self)
        try Timeline("\(start)\n\(change)").expectPinned(PlanChangeInTime.self)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            \(period("t", "best", "2026-01-01", "2026-02-01"))
            \(change("basic", "nextRenewal", "2026-01-10"))
            \(period("u", "best", "2026-02-01", "2026-03-01")) ← plan-change-in-time
            """
        ).expectPinned(PlanChangeInTime.self)
        let now = Timeline(
            "unopened\n\(change("best", "now", "2026-01-10"))\napp.launched at=2026-01-12")
        #expect(try now.verdict(PlanChangeInTime.self) == .undetermined)
    }

    @Test func `each change is a test`() throws {
        let report = try Timeline(change("best", "nextRenewal", "2026-01-10"))
            .reports([PlanChangeInTime.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }

    @Test func `a late change is reported as late`() throws {
        let timeline = Timeline(
            """
            \(period("t", "basic", "2026-01-01", "2026-02-01"))
            \(change("best", "now", "2026-01-10"))
            \(period("u", "best", "2026-01-13", "2026-02-13")) ← plan-change-in-time
            """)
        try timeline.expectPinned(PlanChangeInTime.self)
        let finding = try timeline.reports([PlanChangeInTime.self])[0].report.findings.first
        let message = finding?.message ?? ""
        #expect(message.contains("began its first period of it at 2026-01-13T00:00:00.000Z"))
        #expect(message.hasSuffix("expected one by 2026-01-11T00:00:00.000Z"))
        #expect(finding?.notes.map(\.line) == [3])
    }

    @Test func `a transaction of one line may key another, which has periods of its own`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=n original=t product=basic \
                purchasedAt=2026-01-05 expiresAt=2026-02-05
            renewal.planChanged account=a original=n next=best effect=now at=2026-01-03
            """
        ).expectPinned(PlanChangeInTime.self)
    }

    @Test func `a period that ends before it starts is none`() throws {
        try Timeline(
            """
            \(period("t", "basic", "2026-01-05", "2026-01-04"))
            \(change("best", "now", "2026-01-03"))
            """
        ).expectPinned(PlanChangeInTime.self)
    }
}
