import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DeliveredImpliesPaidTests {
    @Test func `a delivery that the store never stated is reported`() throws {
        try Timeline(
            """
            delivery.delivered transaction=t1 ← delivered-implies-paid
            queue.purchased transaction=t1
            delivery.delivered transaction=t1
            """
        ).expectPinned(DeliveredImpliesPaid.self)
    }

    @Test func `each of the five statements is enough`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.delivered transaction=t1
            queue.restored transaction=t2 original=t1
            delivery.delivered transaction=t2
            receipt.listed transaction=t3
            delivery.delivered transaction=t3
            renewal.started transaction=t4 original=t4 expiresAt=2026-03-01
            delivery.delivered transaction=t4
            renewal.renewed transaction=t5 original=t4 expiresAt=2026-04-01
            delivery.delivered transaction=t5
            """)
        #expect(try history.verdict(DeliveredImpliesPaid.self) == .holds)
    }

    @Test func `only a statement is enough`() throws {
        try Timeline(
            """
            payment.requested payment=t1
            queue.purchasing payment=t1
            queue.deferred payment=t1
            delivery.delivered transaction=t1 ← delivered-implies-paid
            queue.failed payment=t2 error=cancelled
            delivery.delivered transaction=t2 ← delivered-implies-paid
            delivery.validated transaction=t3 outcome=valid
            delivery.persisted transaction=t3 store=server
            delivery.delivered transaction=t3 ← delivered-implies-paid
            queue.purchased transaction=t5 original=t4
            delivery.delivered transaction=t4 ← delivered-implies-paid
            """
        ).expectPinned(DeliveredImpliesPaid.self)
    }

    @Test func `each delivery is a test`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1
            """)
        #expect(try history.reports([DeliveredImpliesPaid.self])[0].report.tested == 2)
    }

    @Test func `a log that starts in the middle can't tell`() throws {
        let history = Timeline(
            """
            unopened
            delivery.delivered transaction=t1
            """)
        #expect(try history.verdict(DeliveredImpliesPaid.self) == .undetermined)
    }

    @Test func `a line that was not understood may have stated it`() throws {
        let history = Timeline(
            """
            not a line of this log
            delivery.delivered transaction=t1
            """)
        #expect(try history.verdict(DeliveredImpliesPaid.self) == .undetermined)
    }
}
