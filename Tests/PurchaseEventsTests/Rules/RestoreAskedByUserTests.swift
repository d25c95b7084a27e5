import Testing

@testable import PurchaseProjections

@Suite struct RestoreAskedByUserTests {
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
