import Testing

@testable import PurchaseProjections

@Suite struct PaymentComesBackTests {
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
}
