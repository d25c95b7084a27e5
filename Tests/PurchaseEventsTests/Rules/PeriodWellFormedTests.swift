import Testing

@testable import PurchaseProjections

@Suite struct PeriodWellFormedTests {
    @Test func `a purchase without an end and a restored one are no periods`() throws {
        let report = try Timeline(
            """
            queue.purchased transaction=t purchasedAt=2026-01-02
            queue.restored transaction=u original=t purchasedAt=2026-03-02 expiresAt=2026-02-02
            """
        ).reports([PeriodWellFormed.self])[0].report
        #expect(report.verdict == .vacuous)
    }

    @Test func `an original may be five seconds younger, and no more`() throws {
        let history = { (environment: String, seconds: String) in
            Timeline(
                "receipt.listed \(environment) transaction=t purchasedAt=2026-01-02 "
                    + "originalPurchasedAt=2026-01-02T00:00:\(seconds)Z expiresAt=2026-02-02")
        }
        let rules: [any Rule.Type] = [PeriodWellFormed.self]
        let levels = { (environment: String, seconds: String) in
            try history(environment, seconds).reports(rules)[0].report.findings.map(\.level)
        }
        #expect(try levels("environment=production", "05.000") == [])
        #expect(try levels("environment=production", "05.001") == [.warning])
        #expect(try levels("environment=sandbox", "05.001") == [.note])
        #expect(try levels("environment=xcode", "05.001") == [.note])
    }

    @Test func `each period is a test, and found once however often it is stated`() throws {
        let row = "receipt.listed transaction=t purchasedAt=2026-01-02 expiresAt=2026-01-01"
        let report = try Timeline("\(row)\n\(row)").reports([PeriodWellFormed.self])[0].report
        #expect(report.tested == 1)
        #expect(report.findings.count == 1)
    }

    @Test func `the level of a late original depends on the environment`() throws {
        let row =
            "receipt.listed transaction=t purchasedAt=2026-01-02 originalPurchasedAt=2026-01-03 "
            + "expiresAt=2026-02-02"
        #expect(try Timeline("unopened\n\(row)").verdict(PeriodWellFormed.self) == .undetermined)
        let said = Timeline("unopened\n\(row) environment=production ← period-well-formed")
        try said.expectPinned(PeriodWellFormed.self)
    }
}
