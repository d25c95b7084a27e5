import PurchaseEvents
import PurchaseProjections
import Testing

/// What can be restored, and with what result.
@Suite struct RestoresTests {
    @Test func `selected products are restored, the rest are not`() throws {
        let showing = try Showing("valid/restore-on-new-device-with-selection.jsonl")
        func states(_ line: Int) throws -> [String] {
            try showing.brief(Restores.self, "state", line: line)
        }
        #expect(try states(10) == [])
        #expect(try states(13) == ["state=held", "state=held", "state=held"])
        #expect(
            try states(14) == ["state=notRestored", "state=notRestored", "state=notRestored"])
        #expect(
            try showing.brief(Restores.self, "product by state") == [
                "product=com.example.reader.birds by=system state=restored",
                "product=com.example.reader.stars by=system state=restored",
                "product=com.example.reader.trees by=system state=notRestored",
            ])
    }

    @Test func `a second request starts over`() throws {
        let showing = try Showing("valid/restored-twice.jsonl")
        func states(_ line: Int) throws -> [String] {
            try showing.brief(Restores.self, "state", line: line)
        }
        #expect(try states(14) == ["state=held"])
        #expect(try states(19) == ["state=restored"])
        #expect(try states(24) == ["state=held"])
        #expect(try states(27) == ["state=held"])
        #expect(try states(28) == ["state=restored"])
    }

    @Test func `consumables and ended products are never restored`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=coins kind=consumable
                catalog.listed product=season kind=nonRenewing
                catalog.listed product=pro kind=nonConsumable
                queue.purchased transaction=t1 product=coins
                queue.purchased transaction=t2 product=season
                queue.purchased transaction=t3 product=pro
                queue.purchased transaction=t4 product=pro
                queue.purchased transaction=t5 product=month purchasedAt=2025-01-01 \
                expiresAt=2025-02-01
                delivery.delivered transaction=t2 until=2026-06-01
                cancellation.refunded transaction=t3 cancelledAt=2026-01-01T07:00:00Z
                """)
        #expect(
            try showing.brief(Restores.self, "original kind by state") == [
                "original=t4 kind=nonConsumable by=system state=held",
                "original=t2 kind=nonRenewing by=app state=held",
            ])
        #expect(
            try showing.brief(Restores.self, "original", asOf: "2026-06-01") == ["original=t4"])
    }

    @Test func `a product bought again under a refunded original can be restored`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=pro kind=nonConsumable
                queue.purchased transaction=t1 product=pro purchasedAt=2026-01-10
                cancellation.refunded transaction=t1 cancelledAt=2026-02-01
                queue.purchased transaction=t2 original=t1 product=pro purchasedAt=2026-03-01
                log.noted text=end at=2026-03-02
                """)
        #expect(
            try showing.brief(Restores.self, "original state") == ["original=t1 state=held"])
    }

    @Test func `what was bought after the request is held`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=songs kind=nonConsumable
                catalog.listed product=films kind=nonConsumable
                receipt.listed transaction=t product=songs account=a
                restore.requested account=a by=user at=2026-02-01
                queue.purchased transaction=u product=films account=a
                queue.restored transaction=r original=t product=songs account=a \
                originalPurchasedAt=2026-01-01
                """)
        #expect(
            try showing.brief(Restores.self, "product state") == [
                "product=films state=held", "product=songs state=notRestored",
            ])
    }
}
