import Testing

@testable import PurchaseProjections

@Suite struct PaymentComesBackTests {
    @Test func `a payment that is unanswered at the second launch never came back`() throws {
        try Timeline(
            """
            payment.requested payment=p1 device=phone ← payment-comes-back
            app.launched device=phone
            app.launched device=phone
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `one launch is not enough`() throws {
        try Timeline(
            """
            app.launched
            payment.requested payment=p1
            app.launched
            queue.purchased transaction=t1 payment=p1
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `a failure is an answer`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=cancelled
            app.launched
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `a deferred payment may take longer`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.deferred payment=p1
            app.launched
            app.launched
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `each request needs an answer of its own`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            payment.requested payment=p1 ← payment-comes-back
            queue.purchased transaction=t1 payment=p1
            app.launched
            queue.purchased transaction=t1 payment=p1
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `launches are counted for each device`() throws {
        try Timeline(
            """
            payment.requested payment=p1 device=phone
            app.launched device=pad
            app.launched device=pad
            app.launched device=phone
            payment.requested payment=p2 device=pad ← payment-comes-back
            app.launched device=pad
            app.launched device=pad
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `a purchase without a payment may be the answer`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=coins account=a
            payment.requested payment=p2 product=coins account=a ← payment-comes-back
            payment.requested payment=p3 product=coins account=b ← payment-comes-back
            payment.requested payment=p4 product=songs
            app.launched
            queue.purchased transaction=t1 product=coins account=a
            queue.purchased transaction=t2 product=songs account=c
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `a missing account matches any account`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=coins account=a
            app.launched
            queue.purchased transaction=t1 product=coins
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `a purchase before the request is no answer`() throws {
        try Timeline(
            """
            payment.requested payment=p0 product=songs
            queue.purchased transaction=t1 product=coins
            queue.purchased transaction=t0 product=songs payment=p0
            payment.requested payment=p1 product=coins ← payment-comes-back
            app.launched
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `many requests are kept only while they are open`() throws {
        let answered = (1...200).map { n in
            "payment.requested payment=p\(n)\nqueue.purchased transaction=t\(n) payment=p\(n)"
        }
        let history =
            ["payment.requested payment=lost ← payment-comes-back"] + answered
            + ["app.launched", "app.launched"]
        let timeline = Timeline(history.joined(separator: "\n"))
        try timeline.expectPinned(PaymentComesBack.self)
        #expect(try timeline.reports([PaymentComesBack.self])[0].report.tested == 201)
    }

    @Test func `a line that was not understood may have been the answer`() throws {
        let timeline = Timeline(
            """
            payment.requested payment=p1
            what is this
            app.launched
            app.launched
            """)
        try timeline.expectPinned(PaymentComesBack.self)
        #expect(try timeline.verdict(PaymentComesBack.self) == .undetermined)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            payment.requested payment=p1 ← payment-comes-back
            app.launched
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `each request is a test`() throws {
        let report = try Timeline(
            """
            payment.requested payment=p1
            payment.requested payment=p1
            app.launched
            """
        ).reports([PaymentComesBack.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }

    @Test func `an event before a request does not answer it`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 payment=p1
            payment.requested payment=p1 ← payment-comes-back
            app.launched
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `a failure and the purchase after it answer one request`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.failed payment=p1 error=interrupted
            queue.purchased transaction=t1 payment=p1
            payment.requested payment=p1 ← payment-comes-back
            app.launched
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `a deferral does not cover a later request of the payment`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.deferred payment=p1
            queue.failed payment=p1 error=network
            payment.requested payment=p1 ← payment-comes-back
            app.launched
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `one answer or deferral excuses one request`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=coins
            payment.requested payment=p2 product=coins ← payment-comes-back
            payment.requested payment=p3 product=songs
            payment.requested payment=p3 product=songs ← payment-comes-back
            payment.requested payment=p4 product=films
            payment.requested payment=p4 product=films ← payment-comes-back
            app.launched
            queue.purchased transaction=t1 product=coins
            queue.deferred payment=p3
            queue.deferred payment=p4
            queue.purchased transaction=t4 payment=p4 product=films
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `a purchase without a payment answers a request of its product`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=songs
            payment.requested payment=p1 product=films
            app.launched
            queue.purchased transaction=t1 product=songs
            queue.purchased transaction=t2 product=films
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }

    @Test func `a purchase without a payment answers the request that nothing else does`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=coins account=a
            payment.requested payment=p2 product=coins account=a
            queue.purchased transaction=t1 product=coins account=a
            queue.purchased transaction=t2 payment=p1 product=coins account=a
            app.launched
            app.launched
            payment.requested payment=p3 product=coins account=a ← payment-comes-back
            app.launched
            app.launched
            """
        ).expectPinned(PaymentComesBack.self)
    }
}
