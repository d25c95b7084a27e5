import Testing

@testable import PurchaseProjections

@Suite struct RefreshChangesNothingTests {
    @Test func `a second refresh lists no old row that the first did not`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 purchasedAt=2025-01-01
            receipt.refreshed receipt=r2 account=a
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2025-01-01
            receipt.listed receipt=r2 transaction=t2 purchasedAt=2025-01-01 ← refresh-changes-nothing
            receipt.listed receipt=r2 transaction=t2 purchasedAt=2025-01-01
            """
        ).expectPinned(RefreshChangesNothing.self)
    }

    @Test func `a second refresh lacks no row that the first listed`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 purchasedAt=2025-01-01
            receipt.listed receipt=r1 transaction=t2 purchasedAt=2025-01-01
            receipt.listed receipt=r1 transaction=t2 purchasedAt=2025-01-01
            receipt.refreshed receipt=r2 account=a ← refresh-changes-nothing
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2025-01-01
            app.launched
            """
        ).expectPinned(RefreshChangesNothing.self)
    }

    @Test func `the second snapshot is complete at the end of the log`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 purchasedAt=2025-01-01
            receipt.refreshed receipt=r2 account=a ← refresh-changes-nothing
            """
        ).expectPinned(RefreshChangesNothing.self)
    }

    @Test func `a row newer than the first refresh may appear`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a at=2026-01-02
            receipt.refreshed receipt=r2 account=a at=2026-01-04
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2026-01-02 ← refresh-changes-nothing
            receipt.listed receipt=r2 transaction=t2 purchasedAt=2026-01-03
            receipt.listed receipt=r2 transaction=t3 purchasedAt=2025-01-01 cancelledAt=2026-01-03
            """
        ).expectPinned(RefreshChangesNothing.self)
    }

    @Test func `two refreshes with an event in between form no pair`() throws {
        let timeline = Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            queue.purchased transaction=t1
            receipt.refreshed receipt=r2 account=a
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2025-01-01
            receipt.listed transaction=t2 purchasedAt=2025-01-01
            receipt.refreshed receipt=r3 account=a
            """)
        try timeline.expectPinned(RefreshChangesNothing.self)
        #expect(try timeline.verdict(RefreshChangesNothing.self) == .vacuous)
    }

    @Test func `different or unnamed accounts, devices and environments form no pair`()
        throws
    {
        let timeline = Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 purchasedAt=2025-01-01
            receipt.refreshed receipt=r2 account=b
            receipt.refreshed receipt=r3 account=b device=pad
            receipt.refreshed receipt=r4 account=b device=pad environment=sandbox
            receipt.refreshed receipt=r5
            receipt.refreshed receipt=r6
            """)
        try timeline.expectPinned(RefreshChangesNothing.self)
        #expect(try timeline.verdict(RefreshChangesNothing.self) == .vacuous)
    }

    @Test func `rows of the second may be mixed with events of other devices`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a device=phone
            receipt.listed receipt=r1 transaction=t1 purchasedAt=2025-01-01 device=phone
            receipt.listed receipt=r1 transaction=t2 purchasedAt=2025-01-01
            receipt.refreshed receipt=r2 account=a device=phone
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2025-01-01 device=phone
            app.launched device=pad
            receipt.listed receipt=r2 transaction=t2 purchasedAt=2025-01-01
            """
        ).expectPinned(RefreshChangesNothing.self)
    }

    @Test func `rows of the first count too where they come after the second began`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.refreshed receipt=r2 account=a
            receipt.listed receipt=r1 transaction=t1 purchasedAt=2025-01-01
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2025-01-01
            """
        ).expectPinned(RefreshChangesNothing.self)
    }

    @Test func `a third refresh is compared with the second`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 purchasedAt=2025-01-01
            receipt.refreshed receipt=r2 account=a ← refresh-changes-nothing
            receipt.refreshed receipt=r3 account=a
            """
        ).expectPinned(RefreshChangesNothing.self)
    }

    @Test func `a line that was not understood may have been a row`() throws {
        let timeline = Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 purchasedAt=2025-01-01
            receipt.refreshed receipt=r2 account=a
            what is this
            """)
        try timeline.expectPinned(RefreshChangesNothing.self)
        #expect(try timeline.verdict(RefreshChangesNothing.self) == .undetermined)
    }

    @Test func `a line that was not understood in between breaks the pair`() throws {
        let timeline = Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            what is this
            receipt.refreshed receipt=r2 account=a
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2025-01-01
            """)
        try timeline.expectPinned(RefreshChangesNothing.self)
        #expect(try timeline.verdict(RefreshChangesNothing.self) == .vacuous)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            receipt.refreshed receipt=r1 account=a
            receipt.refreshed receipt=r2 account=a
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2025-01-01 ← refresh-changes-nothing
            """
        ).expectPinned(RefreshChangesNothing.self)
    }

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

    @Test func `rows of the second count whatever comes among them`() throws {
        try Timeline(
            """
            receipt.refreshed receipt=r1 account=a
            receipt.listed receipt=r1 transaction=t1 purchasedAt=2025-01-01
            receipt.listed receipt=r1 transaction=t2 purchasedAt=2025-01-01
            receipt.refreshed receipt=r2 account=a
            receipt.listed receipt=r2 transaction=t1 purchasedAt=2025-01-01
            app.launched
            receipt.refreshed receipt=r3 account=b
            receipt.listed receipt=r2 transaction=t2 purchasedAt=2025-01-01
            receipt.listed receipt=r2 transaction=t3 purchasedAt=2025-01-01 ← refresh-changes-nothing
            receipt.refreshed receipt=r4 account=a
            receipt.listed receipt=r2 transaction=t4 purchasedAt=2025-01-01
            """
        ).expectPinned(RefreshChangesNothing.self)
    }
}
