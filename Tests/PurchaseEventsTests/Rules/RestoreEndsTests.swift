import Testing

@testable import PurchaseProjections

@Suite struct RestoreEndsTests {
    @Test func `a restore event without a request is a test too`() throws {
        for text in ["queue.restored transaction=t2 original=t1", "restore.completed"] {
            let report = try Timeline(text).reports([RestoreEnds.self])[0].report
            #expect(report.verdict == .violated)
            #expect(report.tested == 1)
        }
    }

    @Test func `each restore is a test`() throws {
        let report = try Timeline(
            """
            restore.requested by=user
            restore.completed
            restore.requested by=user
            restore.failed error=network
            """
        ).reports([RestoreEnds.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
