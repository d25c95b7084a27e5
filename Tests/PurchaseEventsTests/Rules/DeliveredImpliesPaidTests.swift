import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DeliveredImpliesPaidTests {
    @Test func `each delivery is a test`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1
            """)
        #expect(try history.reports([DeliveredImpliesPaid.self])[0].report.tested == 2)
    }
}
