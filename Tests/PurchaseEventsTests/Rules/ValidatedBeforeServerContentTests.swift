import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct ValidatedBeforeServerContentTests {
    @Test func `a transaction not found valid is not delivered`() throws {
        try Timeline(
            """
            delivery.validated transaction=t1 outcome=unreachable
            delivery.delivered transaction=t1 ← validated-before-server-content
            delivery.validated transaction=t1 outcome=invalid
            delivery.delivered transaction=t1 ← validated-before-server-content
            delivery.validated transaction=t1 outcome=valid
            delivery.delivered transaction=t1
            """
        ).expectPinned(ValidatedBeforeServerContent.self)
    }

    @Test func `valid stands until invalid follows`() throws {
        try Timeline(
            """
            delivery.validated transaction=t1 outcome=valid
            delivery.validated transaction=t1 outcome=unreachable
            delivery.delivered transaction=t1
            delivery.validated transaction=t1 outcome=invalid
            delivery.validated transaction=t1 outcome=unreachable
            delivery.delivered transaction=t1 ← validated-before-server-content
            """
        ).expectPinned(ValidatedBeforeServerContent.self)
    }

    @Test func `a transaction that nobody validated, or only later, is not judged`() throws {
        let history = Timeline(
            """
            delivery.delivered transaction=t1
            delivery.validated transaction=t1 outcome=invalid
            delivery.validated transaction=t2 outcome=unreachable
            """)
        #expect(try history.verdict(ValidatedBeforeServerContent.self) == .vacuous)
    }

    @Test func `each delivery of a validated transaction is a test`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.validated transaction=t1 outcome=valid
            delivery.delivered transaction=t1
            delivery.validated transaction=t1 outcome=invalid
            delivery.delivered transaction=t1
            """)
        let report = try history.reports([ValidatedBeforeServerContent.self])[0].report
        #expect(report.tested == 2)
        #expect(report.findings.map(\.level) == [.warning])
        #expect(report.findings.first?.notes.map(\.line) == [2, 5])
    }

    @Test func `a valid answer may lie before the log starts`() throws {
        let history = Timeline(
            """
            unopened
            delivery.validated transaction=t1 outcome=unreachable
            delivery.delivered transaction=t1
            """)
        #expect(try history.verdict(ValidatedBeforeServerContent.self) == .undetermined)
    }

    @Test func `an invalid answer in the log is proof`() throws {
        try Timeline(
            """
            unopened
            delivery.validated transaction=t1 outcome=invalid
            delivery.delivered transaction=t1 ← validated-before-server-content
            """
        ).expectPinned(ValidatedBeforeServerContent.self)
    }
}
