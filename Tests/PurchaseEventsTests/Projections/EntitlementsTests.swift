import PurchaseEvents
import PurchaseProjections
import Testing

/// What accounts are entitled to, and what the app granted.
@Suite struct EntitlementsTests {
    private static let keys = "active until because quantity granted ended"

    @Test(arguments: [
        (7, []),
        (9, ["active=true because=purchase quantity=0 granted=false"]),
        (10, ["active=true because=purchase quantity=2 granted=true"]),
        (14, ["active=true because=purchase quantity=5 granted=true"]),
        (17, ["active=true because=purchase quantity=2 granted=true"]),
        (18, ["active=false because=purchase quantity=0 granted=true"]),
    ])
    func `a consumable delivered and consumed in parts`(
        _ line: Int, _ expected: [String]
    ) throws {
        let showing = try Showing("valid/quantity-consumed-in-parts.jsonl")
        #expect(try showing.brief(Entitlements.self, Self.keys, line: line) == expected)
    }

    @Test func `consumables of one product are one row of an account`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=coins kind=consumable
                queue.purchased transaction=t1 product=coins quantity=3 account=a
                queue.purchased transaction=t2 product=coins quantity=4 account=a
                queue.purchased transaction=t3 product=coins account=b
                delivery.delivered transaction=t1
                delivery.delivered transaction=t2 quantity=3
                delivery.consumed product=coins account=a
                cancellation.refunded transaction=t2 cancelledAt=2026-01-01T09:00:00Z
                delivery.withdrawn transaction=t2 reason=refunded
                log.noted text=end
                """)
        #expect(
            try showing.brief(Entitlements.self, "account transaction quantity active granted") == [
                "account=a quantity=2 active=true granted=true",
                "account=b transaction=t3 quantity=0 active=true granted=false",
            ])
    }

    @Test(arguments: [
        (9, ["active=true because=purchase granted=false"]),
        (18, ["active=true because=purchase granted=true"]),
    ])
    func `a purchase in the tunnel is owed first and granted later`(
        _ line: Int, _ expected: [String]
    ) throws {
        let showing = try Showing("valid/bought-in-the-tunnel.jsonl")
        let rows = try showing.brief(Entitlements.self, Self.keys, line: line, asOf: "2026-03-05")
        #expect(rows == expected)
    }

    @Test func `family sharing that ended revokes, and the withdrawal takes back`() throws {
        let showing = try Showing("valid/family-sharing-ended.jsonl")
        func rows(_ line: Int) throws -> [String] {
            try showing.brief(Entitlements.self, Self.keys, line: line)
        }
        let revoked = "active=false until=2026-04-02T09:59 because=purchase"
        #expect(try rows(11) == ["active=true because=purchase granted=true"])
        #expect(try rows(12) == [revoked + " granted=true ended=revoked"])
        #expect(try rows(15) == [revoked + " granted=false ended=revoked"])
    }

    @Test func `a refund takes effect from its date, whatever is known`() throws {
        let showing = try Showing("valid/refund-before-delivery.jsonl")
        func rows(line: Int, _ instant: String) throws -> [String] {
            try showing.brief(Entitlements.self, "active ended", line: line, asOf: instant)
        }
        #expect(try rows(line: 8, "2026-03-05") == ["active=true"])
        #expect(try rows(line: 13, "2026-03-04T11:59:39Z") == ["active=true"])
        #expect(try rows(line: 13, "2026-03-04T11:59:40Z") == ["active=false ended=refunded"])
        let back = try Showing("valid/refund-taken-back.jsonl")
        #expect(
            try back.brief(Entitlements.self, "active granted ended", line: 16) == [
                "active=false granted=false ended=refunded"
            ])
        #expect(
            try back.brief(Entitlements.self, "active granted ended") == [
                "active=true granted=true"
            ])
    }

    @Test(arguments: [
        "receipt.listed transaction=t product=pro purchasedAt=2026-01-01 cancelledAt=2026-01-20",
        "cancellation.refunded transaction=t cancelledAt=2026-01-20",
    ])
    func `of two cancellation dates the one said last holds at every instant`(
        _ second: String
    ) throws {
        let showing = Showing(
            timeline: """
                queue.purchased transaction=t product=pro purchasedAt=2026-01-01
                cancellation.refunded transaction=t cancelledAt=2026-01-10 at=2026-01-10
                \(second) at=2026-01-20
                log.noted text=end at=2026-02-01
                """)
        func rows(_ instant: String) throws -> [String] {
            try showing.brief(Entitlements.self, "active until", asOf: instant)
        }
        #expect(try rows("2026-01-09") == ["active=true"])
        #expect(try rows("2026-01-15") == ["active=true"])
        #expect(try rows("2026-01-20") == ["active=false until=2026-01-20"])
    }

    @Test func `grants at an instant count only earlier actions`() throws {
        let showing = try Showing("valid/refund.jsonl")
        func rows(_ instant: String) throws -> [String] {
            try showing.brief(Entitlements.self, "active granted", asOf: instant)
        }
        #expect(try rows("2026-03-01") == [])
        #expect(try rows("2026-03-02T09:00:55Z") == ["active=true granted=false"])
        #expect(try rows("2026-03-10") == ["active=true granted=true"])
        #expect(try rows("2026-03-12T12:00:00Z") == ["active=false granted=true"])
        #expect(try rows("2026-03-13") == ["active=false granted=false"])
    }

    @Test func `an upgrade leaves a row of each plan`() throws {
        let showing = try Showing("valid/upgrade.jsonl")
        let keys = "product active from until because transaction original granted ended"
        #expect(
            try showing.brief(Entitlements.self, keys) == [
                "product=com.example.reader.basic active=false from=2026-02-20T09:00"
                    + " until=2026-03-05T18:00 because=period transaction=4700019878101224"
                    + " original=4700019878101224 granted=false ended=upgraded",
                "product=com.example.reader.premium active=true from=2026-03-05T18:00"
                    + " until=2026-04-05T18:00 because=period transaction=4700019002915986"
                    + " original=4700019878101224 granted=true",
            ])
    }

    @Test(arguments: [
        ("2026-03-19", "active=true until=2026-03-20T09:00 because=period granted=true"),
        ("2026-03-21", "active=true until=2026-04-05T09:00 because=grace granted=true"),
        ("2026-03-30", "active=true until=2026-04-20T09:00 because=period granted=true"),
    ])
    func `access in a grace period has the basis grace`(
        _ instant: String, _ expected: String
    ) throws {
        let showing = try Showing("valid/grace-period.jsonl")
        // Before the failure was stated, the period ended at its stated end, even in hindsight.
        #expect(try showing.brief(Entitlements.self, Self.keys, asOf: instant) == [expected])
    }

    @Test func `restored purchases are rows of their originals`() throws {
        let showing = try Showing("valid/restored-twice.jsonl")
        #expect(
            try showing.brief(Entitlements.self, "from transaction original granted") == [
                "from=2026-03-02T09:00 transaction=4700019374456727"
                    + " original=4700019374456727 granted=true"
            ])
        let alone = Showing(
            timeline: """
                queue.restored transaction=r1 original=p product=pro purchasedAt=2026-01-20 \
                originalPurchasedAt=2025-06-01 at=2026-01-20
                queue.restored transaction=r2 original=p product=pro purchasedAt=2026-01-21 \
                originalPurchasedAt=2025-06-01
                delivery.delivered transaction=r1
                """)
        #expect(
            try alone.brief(Entitlements.self, "from original active granted") == [
                "from=2025-06-01 original=p active=true granted=true"
            ])
        // With everything known, the purchase was held long before the restore.
        #expect(
            try alone.brief(Entitlements.self, "active granted", asOf: "2025-07-01") == [
                "active=true granted=false"
            ])
        #expect(try alone.brief(Entitlements.self, "active", asOf: "2025-05-01") == [])
    }

    @Test func `a non-renewing subscription ends where the app says`() throws {
        let showing = try Showing("valid/non-renewing-subscription.jsonl")
        func rows(_ instant: String) throws -> [String] {
            try showing.brief(Entitlements.self, Self.keys, asOf: instant)
        }
        #expect(
            try rows("2026-08-01") == [
                "active=true until=2026-09-02T09:00 because=purchase granted=true"
            ])
        #expect(
            try rows("2026-09-02T09:00:00Z") == [
                "active=false until=2026-09-02T09:00 because=purchase granted=true ended=expired"
            ])
    }

    @Test func `a purchase recorded by a clock set back counts from its date`() throws {
        let showing = try Showing("valid/clock-set-back.jsonl")
        let later = "2027-01-01"
        #expect(
            try showing.brief(Entitlements.self, "active granted", asOf: later) == [
                "active=true granted=true"
            ])
        #expect(
            try showing.brief(Accounts.self, "transactions", asOf: later) == ["transactions=1"])
    }

    @Test func `facts of another environment grant nothing and count no money`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=pro kind=nonConsumable
                queue.purchased transaction=s product=pro account=a environment=sandbox \
                price=990 currency=USD
                queue.purchased transaction=p product=pro account=a price=4990 currency=USD
                delivery.delivered transaction=s
                """)
        #expect(
            try showing.brief(Entitlements.self, "transaction granted") == [
                "transaction=p granted=false"
            ])
        #expect(
            try showing.brief(Accounts.self, "account transactions spent") == [
                "account=a transactions=1 spent=(USD=4990)"
            ])
        let sandbox = Showing(
            timeline: """
                log.opened schema=1 environment=sandbox
                queue.purchased transaction=s product=pro account=a price=990 currency=USD
                queue.purchased transaction=p product=pro account=a environment=production \
                price=4990 currency=USD
                """)
        #expect(try sandbox.brief(Entitlements.self, "transaction") == ["transaction=s"])
    }

    @Test func `rows are ordered by content and filtered by account`() throws {
        let history = """
            queue.purchased transaction=t9 product=b account=z
            queue.purchased transaction=t8 product=a account=z
            queue.purchased transaction=t7 product=a
            queue.purchased transaction=t6 product=a account=é
            queue.purchased transaction=t5 product=a account=b
            """
        let showing = Showing(timeline: history)
        #expect(
            try showing.brief(Entitlements.self, "account product") == [
                "product=a", "account=b product=a", "account=z product=a", "account=z product=b",
                "account=é product=a",
            ])
        #expect(try showing.rows(Entitlements.self, account: "z").count == 2)
        #expect(try showing.rows(Entitlements.self, account: "nobody").isEmpty)
    }

    @Test func `a refund of the original leaves later purchases under it`() throws {
        let keys = "active from until transaction original granted ended"
        let level = Showing(
            timeline: """
                catalog.listed product=pro kind=nonConsumable
                queue.purchased transaction=t1 product=pro account=a purchasedAt=2026-01-10
                cancellation.refunded transaction=t1 cancelledAt=2026-02-01
                queue.purchased transaction=t2 original=t1 product=pro account=a \
                purchasedAt=2026-03-01
                delivery.delivered transaction=t2
                log.noted text=end at=2026-03-02
                """)
        #expect(
            try level.brief(Entitlements.self, keys) == [
                "active=true from=2026-03-01 transaction=t2 original=t1 granted=true"
            ])
        #expect(
            try level.brief(Entitlements.self, keys, asOf: "2026-01-20") == [
                "active=true from=2026-01-10 transaction=t1 original=t1 granted=true"
            ])
        let season = Showing(
            timeline: """
                catalog.listed product=season kind=nonRenewing
                queue.purchased transaction=t1 product=season account=a purchasedAt=2026-01-10
                delivery.delivered transaction=t1 until=2026-12-01
                cancellation.refunded transaction=t1 cancelledAt=2026-02-01
                queue.purchased transaction=t2 original=t1 product=season account=a \
                purchasedAt=2026-03-01
                delivery.delivered transaction=t2 until=2026-06-01
                log.noted text=end at=2026-03-02
                """)
        #expect(
            try season.brief(Entitlements.self, keys) == [
                "active=true from=2026-03-01 until=2026-06-01 transaction=t2 original=t1"
                    + " granted=true"
            ])
    }

    @Test func `a purchase that is only restored ends with its original`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=pro kind=nonConsumable
                queue.purchased transaction=t1 product=pro account=a purchasedAt=2026-01-10
                queue.restored transaction=t2 original=t1 product=pro account=a \
                purchasedAt=2026-01-20
                cancellation.refunded transaction=t1 cancelledAt=2026-02-01
                log.noted text=end at=2026-03-02
                """)
        #expect(
            try showing.brief(Entitlements.self, "active until transaction ended") == [
                "active=false until=2026-02-01 transaction=t1 ended=refunded"
            ])
        #expect(
            try showing.brief(Pending.self, "transaction next") == [
                "transaction=t1 next=finish", "transaction=t2 next=finish",
            ])
    }

    /// One purchase grants until the last is refunded, in any order of the log.
    @Test(arguments: [["t1", "t2"], ["t2", "t1"]])
    func `the last of several refunded purchases counts`(
        _ order: [String]
    ) throws {
        let rows = [
            "t1": "receipt.listed account=a transaction=t1 original=o1 product=pro "
                + "kind=nonConsumable purchasedAt=2026-01-10",
            "t2": "receipt.listed account=a transaction=t2 original=o1 product=pro "
                + "purchasedAt=2026-01-12",
        ]
        let showing = Showing(
            timeline: """
                \(order.compactMap { rows[$0] }.joined(separator: "\n"))
                cancellation.refunded transaction=t1 cancelledAt=2026-02-01
                cancellation.revoked transaction=t2 cancelledAt=2026-03-01
                log.noted text=end at=2026-03-02
                """)
        #expect(
            try showing.brief(Entitlements.self, "active until transaction ended") == [
                "active=false until=2026-03-01 transaction=t2 ended=revoked"
            ])
        #expect(
            try showing.brief(Entitlements.self, "active transaction", asOf: "2026-02-15") == [
                "active=true transaction=t2"
            ])
    }

    @Test func `test statements lengthen no production period`() throws {
        let started = """
            renewal.started transaction=t1 original=t1 product=m account=a \
            purchasedAt=2026-02-01 expiresAt=2026-03-01
            """
        let failed = "renewal.failed original=t1 retrying=true graceExpiresAt=2026-03-16"
        func rows(_ home: String, _ statements: String) throws -> [String] {
            try Showing(
                timeline: """
                    log.opened schema=1 environment=\(home)
                    \(started)
                    \(statements)
                    log.noted text=end at=2026-03-07
                    """
            ).brief(Entitlements.self, "active until because ended")
        }
        #expect(
            try rows("production", "\(failed) environment=sandbox at=2026-03-01") == [
                "active=false until=2026-03-01 because=period ended=expired"
            ])
        let extended = "renewal.extended original=t1 expiresAt=2026-03-20 at=2026-02-20"
        #expect(
            try rows("production", "\(extended) environment=xcode") == [
                "active=false until=2026-03-01 because=period ended=expired"
            ])
        for home in ["production", "sandbox"] {
            #expect(
                try rows(home, "\(failed) at=2026-03-01") == [
                    "active=true until=2026-03-16 because=grace"
                ])
            #expect(try rows(home, extended) == ["active=true until=2026-03-20 because=period"])
        }
    }

    @Test func `a purchase recorded ahead of its date is not active before it`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=songs kind=nonConsumable
                queue.purchased transaction=t product=songs account=a purchasedAt=2026-03-01
                """)
        #expect(try showing.brief(Entitlements.self, "active") == [])
        let rows = try showing.brief(Entitlements.self, "active", asOf: "2026-03-01")
        #expect(rows == ["active=true"])
    }

    @Test func `a transaction of one line may key another, which has periods of its own`() throws {
        let showing = Showing(
            timeline: """
                receipt.listed transaction=n original=t product=basic account=a \
                    purchasedAt=2026-01-01 expiresAt=2026-02-01
                receipt.listed transaction=u original=n product=best account=a \
                    purchasedAt=2026-01-01 expiresAt=2026-02-01
                """)
        #expect(
            try showing.brief(Entitlements.self, "product original") == [
                "product=basic original=t", "product=best original=n",
            ])
    }
}
