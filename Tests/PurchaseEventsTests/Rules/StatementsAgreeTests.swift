import PurchaseEvents
import Testing

@testable import PurchaseProjections

@Suite struct StatementsAgreeTests {
    private func row(_ end: String, _ more: String = "", start: String = "2026-01-01") -> String {
        "receipt.listed transaction=t \(more) purchasedAt=\(start) expiresAt=\(end)"
    }

    @Test func `an end that moves is found at the statement signed later`() throws {
        try Timeline(
            """
            \(row("2026-02-01", "signedAt=2026-01-02"))
            \(row("2026-02-01", "signedAt=2026-01-03"))
            \(row("2036-02-01", "signedAt=2026-01-04")) ← statements-agree
            """
        ).expectPinned(StatementsAgree.self)
        try Timeline(
            """
            \(row("2036-02-01", "signedAt=2026-01-04")) ← statements-agree
            \(row("2026-02-01", "signedAt=2026-01-02"))
            """
        ).expectPinned(StatementsAgree.self)
    }

    @Test func `the finding names both ends`() throws {
        let report = try Timeline(
            "\(row("2026-02-01", "signedAt=2026-01-02"))\n"
                + row("2026-01-20", "signedAt=2026-01-03")
        ).reports([StatementsAgree.self])[0].report
        #expect(report.tested == 1)
        let message = report.findings.first?.message ?? ""
        #expect(message.contains("ends at 2026-01-20T00:00:00.000Z"))
        #expect(message.contains("at 2026-02-01T00:00:00.000Z by that of"))
        #expect(report.findings.map(\.level) == [.warning])
    }

    @Test func `an end that moves by at most 90 days, or in tests, is a note`() throws {
        for (more, end) in [("", "2026-05-02"), ("environment=sandbox", "2036-01-01")] {
            let report = try Timeline(
                "\(row("2026-02-01", more + " signedAt=2026-01-02"))\n"
                    + row(end, more + " signedAt=2026-01-03")
            ).reports([StatementsAgree.self])[0].report
            #expect(report.findings.map(\.level) == [.note])
        }
    }

    @Test func `an extension, a cancellation or an upgrade moves an end`() throws {
        let moved = row("2036-02-01", "signedAt=2026-01-04")
        for reason in [
            "renewal.extended original=t transaction=t expiresAt=2036-02-01",
            "renewal.extended original=t expiresAt=2036-02-01",
            "cancellation.refunded transaction=t cancelledAt=2026-01-20",
            row("2026-01-10", "upgraded=true cancelledAt=2026-01-10"),
        ] {
            try Timeline("\(row("2026-02-01"))\n\(moved)\n\(reason)")
                .expectPinned(StatementsAgree.self)
        }
    }

    @Test func `an extension before the log starts leaves it undetermined`() throws {
        let timeline = Timeline("unopened\n\(row("2026-02-01"))\n\(row("2036-02-01"))")
        #expect(try timeline.verdict(StatementsAgree.self) == .undetermined)
    }
}
