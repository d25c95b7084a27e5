import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DeliveredToPayerTests {
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
}
