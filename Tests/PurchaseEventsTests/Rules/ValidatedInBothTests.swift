import Testing

@testable import PurchaseProjections

@Suite struct ValidatedInBothTests {
    @Test func `a receipt is validated in its own environment`() throws {
        try Timeline(
            """
            receipt.validated receipt=r1 outcome=invalid status=21007 ← validated-in-both
            receipt.validated receipt=r2 outcome=invalid status=21007
            receipt.validated receipt=r2 outcome=valid status=0 environment=sandbox
            receipt.validated receipt=r3 outcome=invalid status=21008 environment=sandbox ← validated-in-both
            receipt.validated receipt=r4 outcome=invalid status=21008 environment=sandbox
            receipt.validated receipt=r4 outcome=valid status=0
            """
        ).expectPinned(ValidatedInBoth.self)
    }

    @Test func `another receipt, or the same environment again, is no answer`() throws {
        try Timeline(
            """
            receipt.validated receipt=r2 outcome=valid status=0 environment=sandbox
            receipt.validated receipt=r1 outcome=invalid status=21007 ← validated-in-both
            receipt.validated receipt=r1 outcome=invalid status=21007 ← validated-in-both
            receipt.validated receipt=r2 outcome=valid status=0 environment=sandbox
            """
        ).expectPinned(ValidatedInBoth.self)
    }

    @Test func `other statuses ask for nothing`() throws {
        let timeline = Timeline(
            """
            receipt.validated receipt=r1 outcome=invalid status=21002
            receipt.validated receipt=r1 outcome=unreachable
            """)
        try timeline.expectPinned(ValidatedInBoth.self)
        #expect(try timeline.verdict(ValidatedInBoth.self) == .vacuous)
    }

    @Test func `a line that was not understood may have been the answer`() throws {
        let timeline = Timeline(
            """
            receipt.validated receipt=r1 outcome=invalid status=21007
            what is this
            """)
        try timeline.expectPinned(ValidatedInBoth.self)
        #expect(try timeline.verdict(ValidatedInBoth.self) == .undetermined)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            receipt.validated receipt=r1 outcome=invalid status=21007 ← validated-in-both
            """
        ).expectPinned(ValidatedInBoth.self)
    }

    @Test func `each such status is a test`() throws {
        let report = try Timeline(
            """
            receipt.validated receipt=r1 outcome=invalid status=21007
            receipt.validated receipt=r1 outcome=valid status=0 environment=sandbox
            receipt.validated receipt=r2 outcome=valid status=0
            """
        ).reports([ValidatedInBoth.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }
}
