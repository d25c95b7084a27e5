import PurchaseEvents
import Testing

@testable import PurchaseProjections

/// Whose a purchase is may be said after the purchase: what is listed under nobody moves.
@Suite struct HoldingsTests {
    @Test(arguments: [
        // A payment's account, said by what came of the payment or by who asked for it.
        """
        queue.purchased transaction=t1 payment=p1 product=month purchasedAt=2026-01-01 \
        expiresAt=2026-02-01
        queue.purchasing payment=p1 account=a
        """,
        """
        queue.purchased transaction=t1 payment=p1 product=pro purchasedAt=2026-01-01
        queue.failed payment=p1 error=network account=a
        """,
        // That of a renewal, of which the line's purchase for good is.
        """
        queue.restored transaction=r1 original=t1 product=pro purchasedAt=2026-01-01
        queue.restored transaction=r2 original=t1 product=pro purchasedAt=2026-01-20
        cancellation.reversed transaction=t1 account=a
        """,
        """
        queue.restored transaction=r1 original=t1 product=pro purchasedAt=2026-01-01
        queue.restored transaction=r2 original=t1 product=pro purchasedAt=2026-01-20
        renewal.turnedOff original=t1 account=a
        """,
        """
        queue.restored transaction=r1 original=t1 product=pro purchasedAt=2026-01-01
        queue.restored transaction=r2 original=t1 product=pro purchasedAt=2026-01-20
        account.linked original=t1 account=a
        """,
        """
        queue.restored transaction=r1 original=t1 product=pro purchasedAt=2026-01-01
        queue.purchased transaction=t1 payment=p1 product=pro purchasedAt=2026-01-20
        queue.purchasing payment=p1 account=a
        """,
    ])
    func `who owns a purchase may be said before it and after it`(_ text: String) throws {
        let rows = text.split(separator: "\n").map(String.init)
        for rows in [rows, rows.reversed()] {
            let text = """
                catalog.listed product=pro kind=nonConsumable
                \(rows.joined(separator: "\n"))
                content.opened content=c account=a at=2026-01-10
                """
            let reports = try Timeline(text).reports([GrantedImpliesOwed.self])
            #expect(reports[0].report.findings.isEmpty, "\(text)")
            #expect(reports[0].report.because.isEmpty, "\(text)")
            let rows = try Showing(timeline: text).brief(Entitlements.self, "account active")
            #expect(!rows.isEmpty && rows.allSatisfy { $0 == "account=a active=true" }, "\(text)")
        }
    }
}
