import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct ClockGoesForwardTests {
    @Test func `a step back of more than five minutes is found`() throws {
        try Timeline(
            """
            app.launched at=2026-03-01T12:00:00.000Z
            app.launched at=2026-03-01T11:55:00.000Z
            app.launched at=2026-03-01T11:49:59.999Z ← clock-goes-forward
            app.launched at=2026-03-01T11:50:00.000Z
            """
        ).expectPinned(ClockGoesForward.self)
    }

    @Test func `each device has a clock of its own`() throws {
        try Timeline(
            """
            app.launched device=phone at=2026-03-01T12:00:00.000Z
            app.launched device=tablet at=2026-03-01T10:00:00.000Z
            app.launched at=2026-03-01T08:00:00.000Z
            app.launched device=phone at=2026-03-01T11:00:00.000Z ← clock-goes-forward
            app.launched device=tablet at=2026-03-01T11:00:00.000Z
            """
        ).expectPinned(ClockGoesForward.self)
    }

    @Test func `the ends of time overflow nothing`() throws {
        try Timeline(
            """
            app.launched at=9999-12-31T23:59:59.999Z
            app.launched at=0000-01-01T00:00:00.000Z ← clock-goes-forward
            """
        ).expectPinned(ClockGoesForward.self)
    }

    @Test func `each line is a test, and a note violates no rule`() throws {
        let history = Timeline(
            """
            app.launched device=phone at=2026-03-01T12:00:00.000Z
            app.launched device=phone at=2026-03-01T11:00:00.000Z
            """)
        let report = try history.reports([ClockGoesForward.self])[0].report
        #expect(report.tested == 3)
        #expect(report.verdict == .holds)
        #expect(report.findings.map(\.level) == [.note])
        #expect(report.findings.first?.notes.map(\.line) == [2])
    }

    @Test func `a log may start in the middle`() throws {
        let history = Timeline(
            """
            unopened
            app.launched
            app.launched
            """)
        #expect(try history.verdict(ClockGoesForward.self) == .holds)
    }
}
