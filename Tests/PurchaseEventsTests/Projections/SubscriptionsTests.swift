import PurchaseEvents
import PurchaseProjections
import Testing

/// The guide's timelines, and what ends and lengthens periods (G6).
@Suite struct SubscriptionsTests {
    private static let lapsed = "valid/subscription-lapsed-and-resubscribed.jsonl"
    private static let retried = "valid/billing-retry-recovered.jsonl"

    /// The table of G6.4, day by day: the status and the readable content.
    @Test(arguments: [
        ("2026-02-01", []), ("2026-02-19", []),
        ("2026-02-20T09:00:00Z", ["status=active content=[issue-2026-02]"]),
        ("2026-02-28", ["status=active content=[issue-2026-02]"]),
        ("2026-03-01", ["status=active content=[issue-2026-02 issue-2026-03]"]),
        ("2026-03-20T08:59:59.999Z", ["status=active content=[issue-2026-02 issue-2026-03]"]),
        ("2026-03-20T09:00:00Z", ["status=active content=[issue-2026-02 issue-2026-03]"]),
        ("2026-04-01", ["status=active content=[issue-2026-02 issue-2026-03 issue-2026-04]"]),
        (
            "2026-04-20T08:59:59.999Z",
            ["status=active content=[issue-2026-02 issue-2026-03 issue-2026-04]"]
        ),
        (
            "2026-04-20T09:00:00Z",
            ["status=expired content=[issue-2026-02 issue-2026-03 issue-2026-04]"]
        ),
        ("2026-05-01", ["status=expired content=[issue-2026-02 issue-2026-03 issue-2026-04]"]),
        ("2026-06-01", ["status=expired content=[issue-2026-02 issue-2026-03 issue-2026-04]"]),
        (
            "2026-06-17T10:00:00Z",
            ["status=active content=[issue-2026-02 issue-2026-03 issue-2026-04 issue-2026-06]"]
        ),
        (
            "2026-07-01",
            [
                "status=active content="
                    + "[issue-2026-02 issue-2026-03 issue-2026-04 issue-2026-06 issue-2026-07]"
            ]
        ),
        (
            "2026-07-17T10:00:00Z",
            [
                "status=expired content="
                    + "[issue-2026-02 issue-2026-03 issue-2026-04 issue-2026-06 issue-2026-07]"
            ]
        ),
    ])
    func `the guide's first timeline has its status and issues at each date`(
        _ instant: String, _ expected: [String]
    ) throws {
        let rows = try Showing(Self.lapsed).brief(
            Subscriptions.self, "status content", asOf: instant)
        #expect(rows == expected)
    }

    @Test func `a monthly plan shows its commitment, and whether that renews`() throws {
        let terms = "plan=monthly commitmentOf=12 commitmentUntil=2027-01-05 commitmentPrice=59880"
        let showing = Showing(
            timeline: """
                renewal.started transaction=t1 original=t1 product=flex purchasedAt=2026-01-05 \
                expiresAt=2026-02-05 commitmentNumber=1 \(terms)
                renewal.turnedOn original=t1
                renewal.turnedOff original=t1 commitment=true
                renewal.renewed transaction=t2 original=t1 product=flex purchasedAt=2026-02-05 \
                expiresAt=2026-03-05 commitmentNumber=2 \(terms)
                """)
        let rows = try showing.brief(
            Subscriptions.self, "autoRenew plan commitment", asOf: "2026-02-06")
        #expect(
            rows == [
                "autoRenew=true plan=monthly "
                    + "commitment=(number=2 of=12 until=2027-01-05 price=59880 renews=false)"
            ])
        let yearly = Showing(
            timeline: """
                renewal.started transaction=t1 original=t1 product=flex purchasedAt=2026-01-05 \
                expiresAt=2027-01-05 plan=upfront
                """)
        #expect(
            try yearly.brief(Subscriptions.self, "plan commitment", asOf: "2026-02-06")
                == ["plan=upfront"])
    }

    @Test func `the lapse of the first timeline shows once it is over`() throws {
        let showing = try Showing(Self.lapsed)
        #expect(try showing.brief(Subscriptions.self, "lapses", asOf: "2026-06-01") == [""])
        #expect(
            try showing.brief(Subscriptions.self, "lapses") == [
                "lapses=[(from=2026-04-20T09:00 until=2026-06-17T10:00)]"
            ])
    }

    @Test(arguments: [
        ("2026-02-20T09:00:00Z", "active"), ("2026-03-20T09:00:00Z", "active"),
        ("2026-04-19", "active"), ("2026-04-20T08:59:59.999Z", "active"),
        ("2026-04-20T09:01:00Z", "retry"), ("2026-05-05T14:29:59.999Z", "retry"),
        ("2026-05-05T14:30:00Z", "active"), ("2026-06-05T14:30:00Z", "active"),
        ("2026-07-05T14:30:00Z", "expired"),
    ])
    func `the guide's second timeline has its status at each date`(
        _ instant: String, _ status: String
    ) throws {
        let rows = try Showing(Self.retried).brief(Subscriptions.self, "status", asOf: instant)
        #expect(rows == ["status=\(status)"])
    }

    @Test func `what was known and what was true are separate questions`() throws {
        let showing = try Showing(Self.retried)
        func status(line: Int, _ instant: String) throws -> [String] {
            try showing.brief(Subscriptions.self, "status", line: line, asOf: instant)
        }
        // Before and after the failed renewal was known; before and after the recovery.
        #expect(try status(line: 25, "2026-04-25") == ["status=expired"])
        #expect(try status(line: 26, "2026-04-25") == ["status=retry"])
        #expect(try status(line: 29, "2026-05-06") == ["status=retry"])
        #expect(try status(line: 30, "2026-05-06") == ["status=active"])
        // What was true at an instant long past, with everything known.
        #expect(try status(line: 47, "2026-03-21") == ["status=active"])
        // Without an instant, rows are as of the greatest `at` folded.
        #expect(try showing.brief(Subscriptions.self, "status", line: 29) == ["status=retry"])
    }

    @Test(arguments: [
        ("2026-03-19", "status=active"), ("2026-03-21", "status=grace"),
        ("2026-03-27", "status=grace"), ("2026-03-29", "status=active"),
    ])
    func `a grace period counts as a period for access`(
        _ instant: String, _ status: String
    ) throws {
        let showing = try Showing("valid/grace-period.jsonl")
        #expect(try showing.brief(Subscriptions.self, "status", asOf: instant) == [status])
        #expect(try showing.brief(Subscriptions.self, "lapses") == [""])
    }

    @Test func `a grace period follows the failed period, even before a shorter one`()
        throws
    {
        let showing = Showing(
            timeline: """
                catalog.listed product=week kind=autoRenewable
                queue.purchased transaction=t1 product=week purchasedAt=2026-03-01 \
                expiresAt=2026-03-08
                renewal.failed original=t1 graceExpiresAt=2026-03-24 retrying=true at=2026-03-08
                content.published content=tenth publishedAt=2026-03-10
                renewal.renewed transaction=t2 original=t1 product=week purchasedAt=2026-03-14 \
                expiresAt=2026-03-21
                log.noted text=end at=2026-04-01
                """)
        #expect(
            try showing.brief(Subscriptions.self, "status", asOf: "2026-03-12") == ["status=grace"])
        #expect(
            try showing.brief(Subscriptions.self, "status lapses content") == [
                "status=expired content=[tenth]"
            ])
    }

    @Test func `a failure that belongs to an earlier period is no retry`() throws {
        let showing = Showing(
            timeline: """
                queue.purchased transaction=t1 product=month purchasedAt=2026-01-01 \
                expiresAt=2026-02-01
                renewal.failed original=t1 retrying=true at=2026-02-01
                queue.purchased transaction=t2 original=t1 product=month purchasedAt=2026-02-05 \
                expiresAt=2026-03-05
                log.noted text=end at=2026-03-10
                """)
        #expect(try showing.brief(Subscriptions.self, "status") == ["status=expired"])
    }

    @Test func `an upgrade ends the old plan's period at the new one's start`() throws {
        let showing = try Showing("valid/upgrade.jsonl")
        let keys = "product status next periods"
        let old =
            "product=com.example.reader.basic transaction=4700019878101224 from=2026-02-20T09:00"
        #expect(
            try showing.brief(Subscriptions.self, keys, asOf: "2026-03-05") == [
                "product=com.example.reader.basic status=active"
                    + " periods=[(\(old) until=2026-03-20T09:00)]"
            ])
        #expect(
            try showing.brief(Subscriptions.self, keys) == [
                "product=com.example.reader.premium status=active"
                    + " periods=[(\(old) until=2026-03-05T18:00 ended=upgraded)"
                    + " (product=com.example.reader.premium transaction=4700019002915986"
                    + " from=2026-03-05T18:00 until=2026-04-05T18:00)]"
            ])
    }

    @Test func `a downgrade shows as the next plan until it takes effect`() throws {
        let showing = try Showing("valid/downgrade.jsonl")
        func rows(_ instant: String) throws -> [String] {
            try showing.brief(Subscriptions.self, "product next", asOf: instant)
        }
        #expect(try rows("2026-02-25") == ["product=com.example.reader.premium"])
        #expect(
            try rows("2026-03-02") == [
                "product=com.example.reader.premium next=com.example.reader.basic"
            ])
        #expect(try rows("2026-03-21") == ["product=com.example.reader.basic"])
    }

    @Test func `a partial refund ends the period from its date`() throws {
        let showing = try Showing("valid/partial-refund.jsonl")
        func status(_ instant: String) throws -> [String] {
            try showing.brief(Subscriptions.self, "status autoRenew", asOf: instant)
        }
        #expect(try status("2026-05-20T09:29:29Z") == ["status=active"])
        #expect(try status("2026-05-20T09:31:00Z") == ["status=refunded autoRenew=false"])
    }

    @Test func `content that only a refunded period opened may not be read`() throws {
        let showing = Showing(
            timeline: """
                queue.purchased transaction=t1 product=month purchasedAt=2026-01-01 \
                expiresAt=2026-02-01
                queue.purchased transaction=t2 original=t1 product=month purchasedAt=2026-02-01 \
                expiresAt=2026-03-01
                content.published content=january publishedAt=2026-01-10
                content.published content=february publishedAt=2026-02-10
                cancellation.refunded transaction=t2 original=t1 cancelledAt=2026-02-20 \
                at=2026-02-20
                """)
        func content(_ instant: String) throws -> [String] {
            try showing.brief(Subscriptions.self, "content", asOf: instant)
        }
        #expect(try content("2026-02-19") == ["content=[february january]"])
        #expect(try content("2026-02-20") == ["content=[january]"])
    }

    @Test func `two transactions of one period are one, in the log's own environment`()
        throws
    {
        let showing = Showing(
            timeline: """
                renewal.started transaction=t2 original=t1 product=month purchasedAt=2026-01-01 \
                expiresAt=2026-02-01
                receipt.listed transaction=t1 product=month purchasedAt=2026-01-01 \
                expiresAt=2026-02-01
                queue.purchased transaction=s1 product=month purchasedAt=2026-01-01 \
                expiresAt=2026-02-01 environment=sandbox price=4990 currency=USD
                """)
        let period = "from=2026-01-01 until=2026-02-01"
        #expect(
            try showing.brief(Subscriptions.self, "original periods") == [
                "original=t1 periods=[(product=month transaction=t1 \(period))]"
            ])
        #expect(
            try showing.brief(Entitlements.self, "original active") == ["original=t1 active=true"])
        #expect(try showing.brief(Accounts.self, "transactions spent") == ["transactions=2"])
    }

    @Test(arguments: [("2026-02-10", "true"), ("2026-03-02", "false")])
    func `renewal turned off is on again after a renewal, in any order`(
        _ turnedOff: String, _ expected: String
    ) throws {
        let period = """
            renewal.started transaction=t1 original=t1 product=m purchasedAt=2026-02-01 \
            expiresAt=2026-03-01
            """
        let words = [
            "renewal.turnedOff original=t1 at=\(turnedOff)",
            """
            renewal.renewed transaction=t2 original=t1 product=m purchasedAt=2026-03-01 \
            expiresAt=2026-04-01 at=2026-03-03
            """,
        ]
        for order in [words, words.reversed()] {
            let showing = Showing(timeline: ([period] + order).joined(separator: "\n"))
            #expect(
                try showing.brief(Subscriptions.self, "autoRenew") == ["autoRenew=\(expected)"])
        }
        // Renewal was never turned on or off, so its state is unknown.
        let unsaid = Showing(timeline: "\(period)\n\(words[1])")
        #expect(try unsaid.brief(Subscriptions.self, "autoRenew") == [""])
    }

    @Test func `the period that began last ends the one before, and has its own grace`() throws {
        let showing = Showing(
            timeline: """
                renewal.started transaction=t original=t purchasedAt=2026-01-01 expiresAt=2026-02-01
                renewal.failed original=t graceExpiresAt=2026-03-01 at=2026-02-01
                receipt.listed transaction=u original=t purchasedAt=2025-12-01 expiresAt=2026-04-01
                """)
        let rows = try showing.brief(Subscriptions.self, "status", asOf: "2026-02-10")
        #expect(rows == ["status=grace"])
        let basis = try showing.brief(Entitlements.self, "because", asOf: "2026-02-10")
        #expect(basis == ["because=grace"])
    }

    @Test func `an extension counts for a period that was cancelled within it`() throws {
        let showing = Showing(
            timeline: """
                renewal.started transaction=t original=t purchasedAt=2026-01-01 expiresAt=2026-02-01
                renewal.extended original=t expiresAt=2026-03-01 at=2026-01-20
                cancellation.refunded transaction=t cancelledAt=2026-02-20 at=2026-02-21
                """)
        #expect(
            try showing.brief(Subscriptions.self, "periods") == [
                "periods=[(product=product-1 transaction=t from=2026-01-01 until=2026-02-20 "
                    + "ended=refunded)]"
            ])
    }

    @Test func `the group stays when the product changes`() throws {
        let showing = Showing(
            timeline: """
                renewal.started transaction=t original=t product=gold group=g expiresAt=2026-02-01
                renewal.renewed transaction=u original=t product=silver expiresAt=2026-03-01
                """)
        let rows = try showing.brief(Subscriptions.self, "group product")
        #expect(rows == ["group=g product=silver"])
    }

    @Test func `a renewal says that renewal was on when its period began`() throws {
        let showing = Showing(
            timeline: """
                renewal.turnedOff original=t signedAt=2026-01-20
                renewal.renewed transaction=t original=t purchasedAt=2026-01-10 \
                expiresAt=2026-03-01 signedAt=2026-01-25 at=2026-02-01
                """)
        #expect(try showing.brief(Subscriptions.self, "autoRenew") == ["autoRenew=false"])
    }

    @Test func `a subscription's account is the one that any statement names, at every instant`()
        throws
    {
        let showing = Showing(
            timeline: """
                renewal.started transaction=t original=t purchasedAt=2026-01-01 expiresAt=2026-02-01
                renewal.renewed transaction=u original=t account=a purchasedAt=2026-02-01 \
                expiresAt=2026-03-01 at=2026-02-01
                """)
        let rows = try showing.brief(Subscriptions.self, "account", asOf: "2026-01-10")
        #expect(rows == ["account=a"])
    }

    @Test func `a purchase without an end names the subscription's account`() throws {
        let showing = Showing(
            timeline: """
                queue.purchased transaction=t account=a purchasedAt=2026-01-01
                renewal.renewed transaction=u original=t account=b purchasedAt=2026-02-01 \
                expiresAt=2026-03-01
                """)
        #expect(try showing.brief(Subscriptions.self, "account") == [])
        #expect(
            try showing.brief(Subscriptions.self, "account", asOf: "2026-02-02") == ["account=a"])
    }

    @Test func `a subscription of the sandbox isn't shown in a log of production`() throws {
        let line = "transaction=t original=t purchasedAt=2026-01-01 expiresAt=2026-02-01"
        let showing = Showing(timeline: "renewal.started \(line) environment=sandbox")
        #expect(try showing.brief(Subscriptions.self, "status") == [])
        let test = Showing(
            timeline: "log.opened schema=1 environment=sandbox\nrenewal.started \(line)")
        #expect(try test.brief(Subscriptions.self, "status") == ["status=active"])
    }

    @Test func `a period that ends before it starts opens nothing`() throws {
        let showing = Showing(
            timeline: """
                content.published content=c publishedAt=2026-01-01
                receipt.listed transaction=t original=t purchasedAt=2026-01-10 expiresAt=2026-01-05
                """)
        let rows = try showing.brief(Subscriptions.self, "status content", asOf: "2026-02-01")
        #expect(rows == ["status=expired"])
    }

    @Test func `the newest of each series is readable`() throws {
        let showing = Showing(
            timeline: """
                content.published content=c1 product=gold publishedAt=2026-01-01
                content.published content=c2 group=g publishedAt=2026-01-05
                renewal.started transaction=t original=t product=gold group=g \
                purchasedAt=2026-01-10 expiresAt=2026-02-10 at=2026-01-10
                """)
        #expect(try showing.brief(Subscriptions.self, "content") == ["content=[c1 c2]"])
    }
}
