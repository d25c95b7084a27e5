import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct ValidatedBeforeServerContentTests {
    @Test func `each delivery of a validated transaction is a test`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.validated transaction=t1 outcome=valid
            delivery.delivered transaction=t1
            delivery.validated transaction=t1 outcome=invalid
            delivery.delivered transaction=t1
            """)
        let report = try history.reports([ValidatedBeforeServerContent.self])[0].report
        #expect(report.tested == 2)
        #expect(report.findings.map(\.level) == [.warning])
        #expect(report.findings.first?.notes.map(\.line) == [2, 5])
    }
}
