import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DeliveredToPayerTests {
    @Test func `a delivery to another account than the payment's is found`() throws {
        try Timeline(
            """
            payment.requested payment=p1 account=ada
            queue.purchased payment=p1 transaction=t1 account=bob
            delivery.delivered transaction=t1 account=bob ← delivered-to-payer
            delivery.delivered transaction=t1 account=ada
            """
        ).expectPinned(DeliveredToPayer.self)
    }

    @Test func `the account that the line is linked to may have it`() throws {
        try Timeline(
            """
            payment.requested payment=p1 account=ada
            queue.purchased payment=p1 transaction=t1
            account.linked original=t1 account=bob
            delivery.delivered transaction=t1 account=bob
            delivery.delivered transaction=t1 account=ada
            delivery.delivered transaction=t1 account=eve ← delivered-to-payer
            """
        ).expectPinned(DeliveredToPayer.self)
    }

    @Test func `a missing account is never a finding`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.purchased payment=p1 transaction=t1
            delivery.delivered transaction=t1 account=bob
            payment.requested payment=p2 account=ada
            queue.purchased payment=p2 transaction=t2
            delivery.delivered transaction=t2
            """
        ).expectPinned(DeliveredToPayer.self)
    }

    @Test func `without a payment the statements say whose it is, as a warning`() throws {
        let report = try Timeline(
            """
            queue.purchased transaction=t1 account=ada
            delivery.delivered transaction=t1 account=bob
            delivery.delivered transaction=t1 account=ada
            renewal.started transaction=t2 original=t2 account=ada
            account.linked original=t2 account=bob
            delivery.delivered transaction=t2 account=bob
            """
        ).reports([DeliveredToPayer.self])[0].report
        #expect(report.findings.map(\.line) == [3])
        #expect(report.findings.map(\.level) == [.warning])
        #expect(report.findings.map(\.account) == ["ada"])
    }

    @Test func `each delivery with an account is a test`() throws {
        let history = Timeline(
            """
            payment.requested payment=p1 account=ada
            queue.purchased payment=p1 transaction=t1
            delivery.delivered transaction=t1
            delivery.delivered transaction=t1 account=bob
            """)
        let report = try history.reports([DeliveredToPayer.self])[0].report
        #expect(report.tested == 1)
        #expect(report.findings.map(\.account) == ["ada"])
        #expect(report.findings.first?.notes.map(\.line) == [2, 3])
    }

    @Test func `a request before the log starts may be another's`() throws {
        let history = Timeline(
            """
            unopened
            queue.purchased payment=p1 transaction=t1 account=ada
            delivery.delivered transaction=t1 account=bob
            """)
        #expect(try history.verdict(DeliveredToPayer.self) == .undetermined)
    }

    @Test func `a request in a log that starts in the middle is proof`() throws {
        try Timeline(
            """
            unopened
            payment.requested payment=p1 account=ada
            queue.purchased payment=p1 transaction=t1
            delivery.delivered transaction=t1 account=bob ← delivered-to-payer
            """
        ).expectPinned(DeliveredToPayer.self)
    }

    @Test func `a line that was not understood may have linked it`() throws {
        let history = Timeline(
            """
            payment.requested payment=p1 account=ada
            queue.purchased payment=p1 transaction=t1
            not a line of this log
            delivery.delivered transaction=t1 account=bob
            """)
        #expect(try history.verdict(DeliveredToPayer.self) == .undetermined)
    }

    @Test func `a renewal belongs to who paid for its original or the line`()
        throws
    {
        try Timeline(
            """
            payment.requested payment=p1 account=ada
            queue.purchased payment=p1 transaction=t1 expiresAt=2026-03-01
            queue.purchased transaction=t2 original=t1 purchasedAt=2026-03-01 expiresAt=2026-04-01
            delivery.delivered transaction=t2 account=ada
            delivery.delivered transaction=t2 account=bob ← delivered-to-payer
            payment.requested payment=p2 account=bob
            queue.purchased payment=p2 transaction=t3 original=t1 purchasedAt=2026-05-01 expiresAt=2026-06-01
            queue.purchased transaction=t4 original=t1 purchasedAt=2026-06-01 expiresAt=2026-07-01
            delivery.delivered transaction=t4 account=bob
            delivery.delivered transaction=t4 account=eve ← delivered-to-payer
            """
        ).expectPinned(DeliveredToPayer.self)
    }

    @Test func `a purchase restored by the payer belongs to the payer`() throws {
        try Timeline(
            """
            payment.requested payment=p1 account=ada
            queue.purchased payment=p1 transaction=t1
            queue.restored transaction=t2 original=t1 account=ada
            delivery.delivered transaction=t2 account=bob ← delivered-to-payer
            queue.restored transaction=t3 original=t1 account=bob
            delivery.delivered transaction=t3 account=bob
            """
        ).expectPinned(DeliveredToPayer.self)
    }
}
