import Testing

@testable import PurchaseProjections

@Suite struct SandboxRenewsLittleTests {
    /// A start and a number of renewals of a few minutes each; the thirteenth and later are pinned.
    private func line(
        _ renewals: Int, _ environment: String = "sandbox", minutes: Int = 5, type: String? = nil
    ) -> String {
        let time = { (minute: Int) in
            let (hour, minute) = (minute / 60, minute % 60)
            let day = 1 + hour / 24
            return "2026-01-0\(day)T\(hour % 24 < 10 ? "0" : "")\(hour % 24):"
                + "\(minute < 10 ? "0" : "")\(minute):00Z"
        }
        return (0...renewals).map {
            "\(type ?? ($0 == 0 ? "renewal.started" : "renewal.renewed")) "
                + "environment=\(environment) transaction=t\($0) original=t0 "
                + "purchasedAt=\(time($0 * minutes)) expiresAt=\(time(($0 + 1) * minutes))"
        }.joined(separator: "\n")
    }

    @Test func `twelve renewals a day are fine, a thirteenth is not`() throws {
        try Timeline(line(12)).expectPinned(SandboxRenewsLittle.self)
        try Timeline(line(13) + " ← sandbox-renews-little").expectPinned(SandboxRenewsLittle.self)
    }

    @Test func `a day is any 24 hours`() throws {
        try Timeline(line(13, minutes: 120)).expectPinned(SandboxRenewsLittle.self)
        try Timeline(line(13, minutes: 119) + " ← sandbox-renews-little")
            .expectPinned(SandboxRenewsLittle.self)
    }

    @Test func `a start is no renewal`() throws {
        try Timeline(line(15, type: "renewal.started")).expectPinned(SandboxRenewsLittle.self)
    }

    @Test func `production and xcode are not tested`() throws {
        for environment in ["production", "xcode"] {
            let verdict = try Timeline(line(13, environment)).verdict(SandboxRenewsLittle.self)
            #expect(verdict == .vacuous)
        }
    }

    @Test func `each sandbox subscription is a test`() throws {
        let report = try Timeline(
            line(2)
                + "\nreceipt.listed environment=sandbox transaction=u "
                + "purchasedAt=2026-01-01 expiresAt=2026-01-02"
        ).reports([SandboxRenewsLittle.self])[0].report
        #expect(report.tested == 2)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline("unopened\n" + line(13) + " ← sandbox-renews-little")
            .expectPinned(SandboxRenewsLittle.self)
    }
}
