import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DeliveredOnceTests {
    @Test func `another kind delivered again is a note, which is no violation`() throws {
        let history = Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1
            """)
        let report = try history.reports([DeliveredOnce.self])[0].report
        #expect(report.findings.map(\.level) == [.note])
        #expect(report.verdict == .holds)
        #expect(report.findings.first?.notes.map(\.line) == [2, 3])
    }
}
