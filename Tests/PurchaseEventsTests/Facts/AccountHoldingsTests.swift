import PurchaseEvents
import Testing

@testable import PurchaseProjections

/// The owner of a purchase may be stated after the purchase, which then moves to the owner's list.
struct AccountHoldingsTests {
    /// Two devices restore a purchase that the log does not show.
    private static let restoredTwice = """
        queue.restored transaction=r1 original=t1 product=pro purchasedAt=2026-01-01
        queue.restored transaction=r2 original=t1 product=pro purchasedAt=2025-12-20

        """

    @Test(arguments: [
        // The account of a payment, stated by a later event or by the request.
        """
        queue.purchased transaction=t1 payment=p1 product=month purchasedAt=2026-01-01 \
        expiresAt=2026-02-01
        queue.purchasing payment=p1 account=a
        """,
        """
        queue.purchased transaction=t1 payment=p1 product=pro purchasedAt=2026-01-01
        queue.failed payment=p1 error=network account=a
        """,
        // The account of an original, stated for it, for its line, or by its payment.
        restoredTwice + "cancellation.reversed transaction=t1 account=a",
        restoredTwice + "renewal.turnedOff original=t1 account=a",
        restoredTwice + "account.linked original=t1 account=a",
        """
        queue.restored transaction=r1 original=t1 product=pro purchasedAt=2026-01-01
        queue.purchased transaction=t1 payment=p1 product=pro purchasedAt=2025-12-20
        queue.purchasing payment=p1 account=a
        """,
    ])
    func `the owner of a purchase may be stated before or after it`(_ text: String) throws {
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
            let rows = try Showing(timeline: text).answer("entitlements account active")
            #expect(!rows.isEmpty && rows.allSatisfy { $0 == "account=a active=true" }, "\(text)")
        }
    }
}
