import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct ClockGoesForwardTests {
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
}
