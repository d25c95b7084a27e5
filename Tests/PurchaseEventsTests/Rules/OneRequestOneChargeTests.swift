import Testing

@testable import PurchaseProjections

@Suite struct OneRequestOneChargeTests {
    @Test func `one request is charged once`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.purchased transaction=t2 payment=p1 ← one-request-one-charge
            queue.purchased transaction=t3 payment=p1 ← one-request-one-charge
            """
        ).expectPinned(OneRequestOneCharge.self)
    }

    @Test func `two requests are charged twice`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.purchased transaction=t2 payment=p1
            """
        ).expectPinned(OneRequestOneCharge.self)
    }

    @Test func `a purchase presented again is no second charge`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            app.launched
            queue.purchased transaction=t1 payment=p1
            """
        ).expectPinned(OneRequestOneCharge.self)
    }

    @Test func `an unrequested payment is not a second charge`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 payment=promoted
            queue.purchased transaction=t2 payment=promoted
            queue.purchased transaction=t3
            """
        ).expectPinned(OneRequestOneCharge.self)
    }

    @Test func `a log that starts in the middle may have missed a request`() throws {
        let timeline = Timeline(
            """
            unopened
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.purchased transaction=t2 payment=p1
            """)
        try timeline.expectPinned(OneRequestOneCharge.self)
        #expect(try timeline.verdict(OneRequestOneCharge.self) == .undetermined)
    }

    @Test func `each payment is a test`() throws {
        let report = try Timeline(
            """
            payment.requested payment=p1
            payment.requested payment=p1
            payment.requested payment=p2
            queue.purchased transaction=t1 payment=p1
            """
        ).reports([OneRequestOneCharge.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }

    @Test func `the charge matches the request`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=songs
            queue.purchased transaction=t1 payment=p1 product=films ← one-request-one-charge
            payment.requested payment=p2 product=coins quantity=2
            queue.purchased transaction=t2 payment=p2 product=coins quantity=3 ← one-request-one-charge
            payment.requested payment=p3 product=coins quantity=2
            queue.purchased transaction=t3 payment=p3 product=coins ← one-request-one-charge
            queue.purchased transaction=t3 payment=p3 product=coins
            queue.purchased transaction=t4 payment=promoted product=coins quantity=5
            """
        ).expectPinned(OneRequestOneCharge.self)
    }

    @Test func `each purchase matches a request of its own`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=coins quantity=2
            payment.requested payment=p1 product=coins quantity=3
            queue.purchased transaction=t1 payment=p1 product=coins quantity=2
            queue.purchased transaction=t2 payment=p1 product=coins quantity=3
            payment.requested payment=p2 product=coins quantity=2
            payment.requested payment=p2 product=coins quantity=3
            queue.purchased transaction=t3 payment=p2 product=coins quantity=3
            queue.purchased transaction=t4 payment=p2 product=coins quantity=3 ← one-request-one-charge
            """
        ).expectPinned(OneRequestOneCharge.self)
    }

    @Test func `a purchase that matches no request leaves them to others`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=coins
            queue.purchased transaction=t1 payment=p1 product=gems ← one-request-one-charge
            payment.requested payment=p1 product=songs
            queue.purchased transaction=t2 payment=p1 product=coins
            payment.requested payment=p2 product=coins
            queue.purchased transaction=t3 payment=p2 product=coins
            payment.requested payment=p2 product=songs
            queue.purchased transaction=t4 payment=p2 product=coins ← one-request-one-charge
            """
        ).expectPinned(OneRequestOneCharge.self)
    }
}
