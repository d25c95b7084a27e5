import Testing

@testable import PurchaseProjections

@Suite struct RefreshChangesNothingTests {
    @Test func `each pair is a test`() throws {
        let report = try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.refreshed receipt=r2 account=a
            receipt.refreshed receipt=r3 account=a
            """
        ).reports([RefreshChangesNothing.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }

    @Test func `a refresh is dated by when it was signed`() throws {
        let second = """
            receipt.refreshed receipt=r2 account=a signedAt=2026-01-20 at=2026-02-01
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2026-01-15 at=2026-02-01
            """
        let first = "receipt.refreshed receipt=r1 account=a at=2026-02-01"
        try Timeline("\(first) signedAt=2026-01-10\n\(second)")
            .expectPinned(RefreshChangesNothing.self)
        try Timeline("\(first) signedAt=2026-01-16\n\(second) ← refresh-changes-nothing")
            .expectPinned(RefreshChangesNothing.self)
    }
}
