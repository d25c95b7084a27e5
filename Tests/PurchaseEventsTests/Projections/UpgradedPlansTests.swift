import PurchaseEvents
import PurchaseProjections
import Testing

/// Which row of a subscription ends an upgraded one (G6.5).
@Suite struct UpgradedPlansTests {
    @Test func `an upgraded plan after a refunded one lasts until the upgrade`() throws {
        let showing = Showing(
            timeline: """
                receipt.listed transaction=t1 original=t1 product=basic purchasedAt=2026-01-01 \
                expiresAt=2026-02-01 cancelledAt=2026-01-04
                cancellation.refunded transaction=t1 original=t1 cancelledAt=2026-01-04
                receipt.listed transaction=t2 original=t1 product=yearly purchasedAt=2026-01-20 \
                expiresAt=2027-01-20 cancelledAt=2026-05-20 upgraded=true
                receipt.listed transaction=t3 original=t1 product=gold purchasedAt=2026-05-20 \
                expiresAt=2026-06-20
                """)
        let rows = try showing.brief(Subscriptions.self, "lapses", asOf: "2026-06-01")
        #expect(rows == ["lapses=[(from=2026-01-04 until=2026-01-20)]"])
    }

    @Test func `an upgraded plan after one that another plan replaced lasts until the upgrade`()
        throws
    {
        let showing = Showing(
            timeline: """
                renewal.started transaction=t1 original=t1 product=yearly purchasedAt=2026-01-01 \
                expiresAt=2027-01-01
                renewal.started transaction=t2 original=t1 product=basic purchasedAt=2026-02-01 \
                expiresAt=2026-03-01
                receipt.listed transaction=t3 original=t1 product=yearly purchasedAt=2026-04-01 \
                expiresAt=2027-04-01 cancelledAt=2026-05-20 upgraded=true
                renewal.started transaction=t4 original=t1 product=gold purchasedAt=2026-05-20 \
                expiresAt=2026-06-20
                """)
        let rows = try showing.brief(Subscriptions.self, "lapses", asOf: "2026-06-01")
        #expect(rows == ["lapses=[(from=2026-03-01 until=2026-04-01)]"])
    }

    @Test func `an upgraded plan that was cancelled before it began is empty`() throws {
        let showing = Showing(
            timeline: """
                receipt.listed transaction=t1 product=basic purchasedAt=2026-01-02 \
                expiresAt=2026-02-02 cancelledAt=2026-01-01 upgraded=true
                """)
        let rows = try showing.brief(Subscriptions.self, "periods", asOf: "2026-06-01")
        #expect(
            rows == [
                "periods=[(product=basic transaction=t1 from=2026-01-02 until=2026-01-02 "
                    + "ended=upgraded)]"
            ])
    }
}
