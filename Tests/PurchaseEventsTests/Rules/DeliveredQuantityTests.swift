import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DeliveredQuantityTests {
    @Test func `each delivery of a consumable is a test`() throws {
        let history = Timeline(
            """
            receipt.listed transaction=t1 kind=consumable quantity=3
            delivery.delivered transaction=t1 quantity=2
            delivery.delivered transaction=t1 quantity=2
            """)
        let report = try history.reports([DeliveredQuantity.self])[0].report
        #expect(report.tested == 2)
        let finding = try #require(report.findings.first)
        #expect(
            finding.message == "4 of transaction t1 are delivered: expected at most the 3 bought")
        #expect(finding.notes.map(\.line) == [2, 3])
    }
}
