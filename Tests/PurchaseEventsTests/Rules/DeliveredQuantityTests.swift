import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DeliveredQuantityTests {
    @Test func `more than was bought is found at the delivery`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable quantity=2
            delivery.delivered transaction=t1 quantity=3 ← delivered-quantity
            receipt.listed transaction=t2 kind=consumable quantity=3
            delivery.delivered transaction=t2 quantity=2
            delivery.delivered transaction=t2 quantity=2 ← delivered-quantity
            """
        ).expectPinned(DeliveredQuantity.self)
    }

    @Test func `a fully delivered purchase is left to delivered-once`() throws {
        let history = Timeline(
            """
            receipt.listed transaction=t1 kind=consumable
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1 quantity=2
            """)
        #expect(try history.verdict(DeliveredQuantity.self) == .holds)
    }

    @Test func `less than was bought is found at the finish`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins quantity=5
            delivery.delivered transaction=t1 quantity=2
            queue.finished transaction=t1 ← delivered-quantity
            queue.finished transaction=t1
            """
        ).expectPinned(DeliveredQuantity.self)
    }

    @Test func `no delivery at all is left to finished-implies-delivered`() throws {
        let history = Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins quantity=5
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(DeliveredQuantity.self) == .vacuous)
    }

    @Test func `a quantity in parts, a withdrawal and a refund are fine`() throws {
        let history = Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins quantity=5
            delivery.delivered transaction=t1 quantity=2
            delivery.delivered transaction=t1
            queue.finished transaction=t1
            delivery.withdrawn transaction=t1 reason=refunded
            delivery.delivered transaction=t1 quantity=5
            queue.purchased transaction=t2 product=coins quantity=5
            delivery.delivered transaction=t2 quantity=2
            cancellation.refunded transaction=t2
            queue.finished transaction=t2
            """)
        #expect(try history.verdict(DeliveredQuantity.self) == .holds)
    }

    @Test func `other kinds are not judged`() throws {
        let history = Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable
            delivery.delivered transaction=t1 quantity=3
            """)
        #expect(try history.verdict(DeliveredQuantity.self) == .vacuous)
    }

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

    @Test func `a quantity that the log states is proof wherever the log starts`() throws {
        try Timeline(
            """
            unopened
            receipt.listed transaction=t1 kind=consumable quantity=2
            delivery.delivered transaction=t1 quantity=3 ← delivered-quantity
            """
        ).expectPinned(DeliveredQuantity.self)
    }

    @Test func `an unstated quantity may lie before the start of the log`() throws {
        let history = Timeline(
            """
            unopened
            receipt.listed transaction=t1 kind=consumable
            delivery.delivered transaction=t1 quantity=3
            """)
        #expect(try history.verdict(DeliveredQuantity.self) == .undetermined)
    }

    @Test func `a delivery may lie before the log starts`() throws {
        let history = Timeline(
            """
            unopened
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins quantity=5
            delivery.delivered transaction=t1 quantity=2
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(DeliveredQuantity.self) == .undetermined)
    }

    @Test func `what only a row states is judged too`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable quantity=3
            delivery.delivered transaction=t1 quantity=1
            queue.finished transaction=t1 ← delivered-quantity
            """
        ).expectPinned(DeliveredQuantity.self)
    }
}
