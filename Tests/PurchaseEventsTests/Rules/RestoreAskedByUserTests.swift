import Testing

@testable import PurchaseProjections

@Suite struct RestoreAskedByUserTests {
    @Test func `the app does not restore by itself`() throws {
        try Timeline(
            """
            restore.requested by=app ← restore-asked-by-user
            restore.requested by=user
            """
        ).expectPinned(RestoreAskedByUser.self)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            restore.requested by=app ← restore-asked-by-user
            """
        ).expectPinned(RestoreAskedByUser.self)
    }

    @Test func `each restore is a test`() throws {
        let report = try Timeline(
            """
            restore.requested by=user
            restore.requested by=user
            """
        ).reports([RestoreAskedByUser.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
