import PurchaseEvents
import PurchaseProjections
import Testing

/// What the receipt holds (G1.2, G4.13).
@Suite struct ReceiptTests {
    private static let history = """
        catalog.listed product=pro kind=nonConsumable
        catalog.listed product=coins kind=consumable
        catalog.listed product=season kind=nonRenewing
        queue.purchased transaction=t1 product=coins account=a
        queue.purchased transaction=t2 product=season account=a
        queue.finished transaction=t1 account=a
        queue.finished transaction=t2 account=a
        queue.purchased transaction=t2 product=season account=a
        queue.purchased transaction=t3 product=pro account=a
        queue.finished transaction=t3 account=a
        queue.purchased transaction=t4 product=pro account=b
        receipt.refreshed receipt=r1 account=a
        receipt.listed receipt=r1 transaction=t3 product=pro account=a
        receipt.listed receipt=r0 transaction=t1 product=coins account=a
        receipt.listed transaction=t1 product=coins account=a
        queue.purchased transaction=t5 product=coins account=a
        """

    @Test(arguments: [
        (5, ["t1"]), (6, ["t1", "t2"]), (9, ["t1", "t2"]), (10, ["t3"]), (13, []),
        (14, ["t3"]), (16, ["t3"]), (17, ["t3", "t5"]),
    ])
    func `a consumable leaves at the next change after its finish`(
        _ line: Int, _ expected: [String]
    ) throws {
        let rows = try Showing(timeline: Self.history)
            .fold(Showing.Question(line: line)).rows(of: Receipt.self, account: "a")
        #expect(rows.map(\.transaction) == expected)
    }

    @Test func `a non-renewing subscription stays by the other reading of the guide`() throws {
        let question = Showing.Question(line: 10, nonRenewing: .stays)
        let rows = try Showing(timeline: Self.history).fold(question)
            .rows(of: Receipt.self, account: "a")
        #expect(rows.map(\.transaction) == ["t2", "t3"])
    }

    @Test func `a consumable whose finish was recorded first leaves at the next change`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=coins kind=consumable
                queue.finished transaction=t1 account=a
                queue.purchased transaction=t1 product=coins account=a
                queue.purchased transaction=t2 product=coins account=a
                """)
        #expect(try showing.brief(Receipt.self, "transaction", line: 4) == ["transaction=t1"])
        #expect(try showing.brief(Receipt.self, "transaction", line: 5) == ["transaction=t2"])
    }

    @Test func `the receipt may be behind the purchase`() throws {
        let showing = try Showing("valid/receipt-behind-the-purchase.jsonl")
        #expect(try showing.rows(Receipt.self, line: 8).count == 1)
        #expect(try showing.rows(Receipt.self, line: 13).isEmpty)
        #expect(try showing.rows(Receipt.self, line: 15).count == 1)
    }

    @Test func `a row repeats the snapshot, once`() throws {
        let showing = try Showing("valid/receipt-names-a-row-twice.jsonl")
        #expect(
            try showing.brief(Receipt.self, "transaction kind expiresAt") == [
                "transaction=4700019929099630 kind=autoRenewable expiresAt=2026-03-20T09:00",
                "transaction=4700019333863527 kind=autoRenewable expiresAt=2026-04-20T09:00",
                "transaction=4700019837513405 kind=autoRenewable expiresAt=2026-05-20T09:00",
            ])
    }

    @Test func `a refund is in the receipt once a snapshot states it`() throws {
        let showing = try Showing("valid/refund-found-in-receipt.jsonl")
        #expect(try showing.brief(Receipt.self, "cancelledAt", line: 14) == [""])
        #expect(
            try showing.brief(Receipt.self, "cancelledAt") == ["cancelledAt=2026-03-12T10:14"])
    }

    @Test func `a product that turns out to be a consumable has left`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=pro kind=nonConsumable
                queue.purchased transaction=t1 product=coins
                queue.finished transaction=t1
                queue.purchased transaction=t2 product=pro
                catalog.listed product=coins kind=consumable
                queue.purchased transaction=t3 product=pro
                queue.purchased transaction=t4 product=coins
                queue.finished transaction=t4
                """)
        func rows(_ line: Int) throws -> [String] {
            try showing.brief(Receipt.self, "transaction", line: line)
        }
        #expect(try rows(5) == ["transaction=t1", "transaction=t2"])
        #expect(try rows(7) == ["transaction=t2", "transaction=t3"])
        #expect(try rows(9) == ["transaction=t2", "transaction=t3", "transaction=t4"])
    }

    @Test func `a purchase is in its buyer's receipt, whoever owns its line`() throws {
        let showing = Showing(
            timeline: """
                queue.purchased account=a transaction=s1 product=m expiresAt=2026-02-01
                queue.purchased account=b transaction=s2 original=s1 product=m \
                purchasedAt=2026-02-01 expiresAt=2026-03-01 at=2026-02-01
                account.linked account=b original=s1 from=a
                """)
        for line in [3, 4] {
            #expect(
                try showing.brief(Receipt.self, "account transaction", line: line) == [
                    "account=a transaction=s1", "account=b transaction=s2",
                ])
        }
    }
}
