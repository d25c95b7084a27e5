import Testing

@testable import PurchaseProjections

@Suite struct InterruptedNotLostTests {
    @Test func `each interrupted failure is a test`() throws {
        let report = try Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=interrupted
            queue.failed payment=p1 error=interrupted
            queue.purchased transaction=t1 payment=p1
            """
        ).reports([InterruptedNotLost.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }

    @Test func `the finding notes a purchase by another request`() throws {
        let report = try Timeline(
            """
            payment.requested account=a payment=p1 product=pro
            queue.failed account=a payment=p1 error=interrupted
            payment.requested account=a payment=p2 product=pro
            queue.purchased account=a transaction=t payment=p2 product=pro
            """
        ).reports([InterruptedNotLost.self])[0].report
        let finding = report.findings.first
        #expect(finding?.message.contains("a purchase of pro without a request") == true)
        #expect(finding?.notes.map(\.line) == [2, 5])
    }
}
