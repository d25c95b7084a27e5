import Testing

@testable import PurchaseProjections

@Suite struct QuantitySaneTests {
    @Test func `a consumable is sold ten at a time at most`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            payment.requested payment=p1 product=coins quantity=10
            payment.requested payment=p2 product=coins quantity=11 ← quantity-sane
            payment.requested payment=p3 product=coins quantity=1
            payment.requested payment=p4 product=coins
            """
        ).expectPinned(QuantitySane.self)
    }

    @Test func `a non-consumable is sold singly, a subscription for any number of seats`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            payment.requested payment=p1 product=songs quantity=2 ← quantity-sane
            queue.restored transaction=t2 original=t1 product=songs quantity=2 ← quantity-sane
            receipt.listed transaction=t3 product=pass kind=nonRenewing quantity=3
            receipt.listed transaction=t4 product=paper kind=autoRenewable quantity=1
            queue.purchased transaction=t5 product=news quantity=25 expiresAt=2026-03-01
            """
        ).expectPinned(QuantitySane.self)
    }

    @Test func `a wrong quantity is reported once`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            payment.requested payment=p1 product=coins quantity=12 ← quantity-sane
            payment.requested payment=p1 product=coins quantity=12
            queue.purchased transaction=t1 payment=p1 product=coins quantity=12
            app.launched
            queue.purchased transaction=t1 payment=p1 product=coins quantity=12
            queue.purchased transaction=t2 product=coins quantity=12 ← quantity-sane
            receipt.listed transaction=t2 product=coins quantity=12
            """
        ).expectPinned(QuantitySane.self)
    }

    @Test func `a quantity of an unknown kind is not judged`() throws {
        let timeline = Timeline(
            """
            payment.requested payment=p1 product=coins quantity=11
            queue.purchased transaction=t1 product=coins quantity=11
            """)
        try timeline.expectPinned(QuantitySane.self)
        #expect(try timeline.verdict(QuantitySane.self) == .vacuous)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            receipt.listed transaction=t1 product=coins kind=consumable quantity=11 ← quantity-sane
            """
        ).expectPinned(QuantitySane.self)
    }

    @Test func `each quantity of a known kind is a test`() throws {
        let report = try Timeline(
            """
            catalog.listed product=coins kind=consumable
            payment.requested payment=p1 product=coins quantity=2
            queue.purchased transaction=t1 product=coins quantity=2
            queue.purchased transaction=t2 product=coins
            """
        ).reports([QuantitySane.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }

    @Test func `only a consumable may be delivered in a quantity above one`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=songs
            delivery.delivered transaction=t1 quantity=2 ← quantity-sane
            queue.purchased transaction=t2 product=coins
            delivery.delivered transaction=t2 quantity=12
            """
        ).expectPinned(QuantitySane.self)
    }
}
