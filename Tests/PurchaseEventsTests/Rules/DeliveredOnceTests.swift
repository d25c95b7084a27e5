import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DeliveredOnceTests {
    @Test func `a consumable is delivered once`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1 ← delivered-once
            delivery.delivered transaction=t1 quantity=3 ← delivered-once
            """
        ).expectPinned(DeliveredOnce.self)
    }

    @Test func `a quantity may be delivered in parts`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins quantity=5
            delivery.delivered transaction=t1 quantity=2
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1 ← delivered-once
            """
        ).expectPinned(DeliveredOnce.self)
    }

    @Test func `two purchases of a consumable are each delivered`() throws {
        let history = Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins
            queue.purchased transaction=t2 product=coins
            delivery.delivered transaction=t1
            delivery.delivered transaction=t2
            """)
        #expect(try history.verdict(DeliveredOnce.self) == .holds)
    }

    @Test func `more than was bought in one delivery is left to delivered-quantity`() throws {
        let history = Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins quantity=2
            delivery.delivered transaction=t1 quantity=3
            """)
        #expect(try history.verdict(DeliveredOnce.self) == .holds)
    }

    @Test func `a withdrawal restarts the quantity`() throws {
        let history = Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins
            delivery.delivered transaction=t1
            delivery.withdrawn transaction=t1 reason=refunded
            delivery.delivered transaction=t1
            """)
        #expect(try history.verdict(DeliveredOnce.self) == .holds)
    }

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

    @Test func `each device may deliver another kind for itself, but no consumable`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable
            delivery.delivered transaction=t1 device=phone
            delivery.delivered transaction=t1 device=tablet
            delivery.delivered transaction=t1 device=tablet ← delivered-once
            receipt.listed transaction=t2 kind=consumable product=coins
            delivery.delivered transaction=t2 device=phone
            delivery.delivered transaction=t2 device=tablet ← delivered-once
            """
        ).expectPinned(DeliveredOnce.self)
    }

    @Test func `a transaction of unknown kind is not judged`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1 product=coins
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1
            """)
        #expect(try history.verdict(DeliveredOnce.self) == .vacuous)
    }

    @Test
    func `two deliveries count in a log that starts in the middle if the quantity is stated`()
        throws
    {
        try Timeline(
            """
            unopened
            receipt.listed transaction=t1 kind=consumable quantity=1
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1 ← delivered-once
            """
        ).expectPinned(DeliveredOnce.self)
    }

    @Test func `a quantity stated before the log starts leaves the rule undetermined`() throws {
        let history = Timeline(
            """
            unopened
            receipt.listed transaction=t1 kind=consumable
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1
            """)
        #expect(try history.verdict(DeliveredOnce.self) == .undetermined)
    }

    @Test func `a line that was not understood may have withdrawn it`() throws {
        let history = Timeline(
            """
            receipt.listed transaction=t1 kind=consumable quantity=1
            delivery.delivered transaction=t1
            not a line of this log
            delivery.delivered transaction=t1
            """)
        #expect(try history.verdict(DeliveredOnce.self) == .undetermined)
    }
}
