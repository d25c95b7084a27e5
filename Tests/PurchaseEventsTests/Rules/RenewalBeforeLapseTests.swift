import Testing

@testable import PurchaseProjections

@Suite struct RenewalBeforeLapseTests {
    private func history(_ start: String, _ more: String = "") -> String {
        """
        receipt.listed transaction=t product=p purchasedAt=2026-01-01 expiresAt=2026-02-01 \(more)
        receipt.listed transaction=u original=t product=p purchasedAt=\(start) expiresAt=2026-03-01
        """
    }

    @Test func `a renewal comes in the last day of the period before it`() throws {
        try Timeline(history("2026-01-31")).expectPinned(RenewalBeforeLapse.self)
        try Timeline(history("2026-01-30T23:59:59.999Z") + " ← renewal-before-lapse")
            .expectPinned(RenewalBeforeLapse.self)
    }

    @Test func `a renewal after a lapse, an upgrade or a refund is not tested`() throws {
        let untested = [
            history("2026-02-10"),
            history("2026-01-10", "cancelledAt=2026-01-10 upgraded=true"),
            history("2026-01-10", "cancelledAt=2026-01-10"),
        ]
        for text in untested {
            #expect(try Timeline(text).verdict(RenewalBeforeLapse.self) == .vacuous)
        }
    }

    @Test func `each renewal is a test, and the finding is a note`() throws {
        let early = try Timeline(history("2026-01-10")).reports([RenewalBeforeLapse.self])[0].report
        #expect(early.tested == 1)
        #expect(early.findings.map(\.level) == [.note])
        #expect(try Timeline(history("2026-02-01")).verdict(RenewalBeforeLapse.self) == .holds)
    }

    @Test func `a line not understood may be a refund, and a change of plan is no renewal`() throws
    {
        let middle = history("2026-01-10").replacing("\n", with: "\nwhat is this\n")
        #expect(try Timeline(middle).verdict(RenewalBeforeLapse.self) == .undetermined)
        let other = history("2026-01-10").replacing(
            "original=t product=p", with: "original=t product=q")
        #expect(try Timeline(other).verdict(RenewalBeforeLapse.self) == .vacuous)
    }

    @Test func `an immediate change stays immediate when the plan changes again`() throws {
        try Timeline(
            """
            renewal.planChanged original=t next=q effect=now at=2026-01-10
            \(history("2026-01-10").replacing("original=t product=p", with: "original=t product=q"))
            renewal.planChanged original=t next=p effect=nextRenewal
            """
        ).expectPinned(RenewalBeforeLapse.self)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline("unopened\n" + history("2026-01-10") + " ← renewal-before-lapse")
            .expectPinned(RenewalBeforeLapse.self)
    }
}
