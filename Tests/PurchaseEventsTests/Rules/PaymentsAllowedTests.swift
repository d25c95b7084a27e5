import Testing

@testable import PurchaseProjections

@Suite struct PaymentsAllowedTests {
    @Test func `nothing is requested while payments are restricted`() throws {
        try Timeline(
            """
            payment.restricted
            payment.requested payment=p1 ← payments-allowed
            payment.requested payment=p2 ← payments-allowed
            """
        ).expectPinned(PaymentsAllowed.self)
    }

    @Test func `requests are fine once payments are allowed`() throws {
        try Timeline(
            """
            payment.requested payment=p0
            payment.restricted
            payment.allowed
            payment.requested payment=p1
            """
        ).expectPinned(PaymentsAllowed.self)
    }

    @Test func `a restriction ends with the launch`() throws {
        try Timeline(
            """
            app.launched
            payment.restricted
            app.launched
            payment.requested payment=p1
            """
        ).expectPinned(PaymentsAllowed.self)
    }

    @Test func `a restriction applies to one device`() throws {
        try Timeline(
            """
            payment.restricted device=pad
            payment.requested payment=p1 device=phone
            payment.requested payment=p2
            payment.allowed device=phone
            payment.requested payment=p3 device=pad ← payments-allowed
            """
        ).expectPinned(PaymentsAllowed.self)
    }

    @Test func `a line that was not understood may have allowed them`() throws {
        let timeline = Timeline(
            """
            payment.restricted
            what is this
            payment.requested payment=p1
            """)
        try timeline.expectPinned(PaymentsAllowed.self)
        #expect(try timeline.verdict(PaymentsAllowed.self) == .undetermined)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            payment.restricted
            payment.requested payment=p1 ← payments-allowed
            """
        ).expectPinned(PaymentsAllowed.self)
    }

    @Test func `each restriction is a test`() throws {
        let report = try Timeline(
            """
            payment.restricted
            payment.allowed
            payment.requested payment=p1
            """
        ).reports([PaymentsAllowed.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }
}
