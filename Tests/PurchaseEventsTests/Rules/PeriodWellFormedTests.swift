import Testing

@testable import PurchaseProjections

@Suite struct PeriodWellFormedTests {
    @Test func `a period ends after it starts`() throws {
        try Timeline(
            """
            renewal.started transaction=t original=t purchasedAt=2026-01-02 expiresAt=2026-01-01 \
                ← period-well-formed
            receipt.listed transaction=u purchasedAt=2026-01-02 expiresAt=2026-01-02 ← \
                period-well-formed
            queue.purchased transaction=v purchasedAt=2026-01-02 expiresAt=2026-01-02T00:00:00.001Z
            renewal.renewed transaction=w original=t purchasedAt=2026-01-02 expiresAt=2026-01-01 \
                ← period-well-formed
            """
        ).expectPinned(PeriodWellFormed.self)
    }

    @Test func `an extension keeps the end after the start`() throws {
        try Timeline(
            """
            receipt.listed transaction=t purchasedAt=2026-01-02 expiresAt=2026-02-02
            renewal.extended original=t transaction=t expiresAt=2026-01-02 ← period-well-formed
            renewal.extended original=t transaction=never-seen expiresAt=2026-01-02
            """
        ).expectPinned(PeriodWellFormed.self)
    }

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

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            receipt.listed transaction=t purchasedAt=2026-01-02 expiresAt=2026-01-01 ← \
                period-well-formed
            """
        ).expectPinned(PeriodWellFormed.self)
    }

    @Test func `the level of a late original depends on the environment`() throws {
        let row =
            "receipt.listed transaction=t purchasedAt=2026-01-02 originalPurchasedAt=2026-01-03 "
            + "expiresAt=2026-02-02"
        #expect(try Timeline("unopened\n\(row)").verdict(PeriodWellFormed.self) == .undetermined)
        let said = Timeline("unopened\n\(row) environment=production ← period-well-formed")
        try said.expectPinned(PeriodWellFormed.self)
    }

    @Test func `the app grants no period that is over before it begins`() throws {
        try Timeline(
            """
            queue.purchased transaction=t purchasedAt=2026-02-01
            delivery.delivered transaction=t until=2026-01-31 ← period-well-formed
            queue.purchased transaction=u purchasedAt=2026-02-01
            delivery.delivered transaction=u until=2026-08-01
            """
        ).expectPinned(PeriodWellFormed.self)
    }

    @Test func `a permanent purchase has no end date`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            catalog.listed product=pass kind=nonRenewing
            queue.purchased transaction=t product=songs expiresAt=2026-08-01 ← period-well-formed
            queue.purchased transaction=t product=songs expiresAt=2026-08-01
            queue.purchased transaction=u product=pass expiresAt=2026-08-01
            queue.purchased transaction=v product=unknown expiresAt=2026-08-01
            """
        ).expectPinned(PeriodWellFormed.self)
    }
}
