import PurchaseEvents
import PurchaseProjections
import Testing

/// Test statements change nothing that production attests (G9.3), in any order of arrival.
@Suite struct EnvironmentsApartRowsTests {
    private static let period = """
        renewal.started transaction=t1 original=t1 product=m account=a purchasedAt=2026-02-01 \
        expiresAt=2026-03-01
        """
    private static let book = """
        queue.purchased transaction=b1 product=book account=a purchasedAt=2026-02-01 price=1000 \
        currency=EUR
        """

    /// Expects the rows for every order of the statements.
    private func expect(
        _ expected: [String], of projection: any Projection.Type, _ keys: String,
        _ statements: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for order in orders(of: statements) {
            let lines =
                [
                    "catalog.listed product=m kind=autoRenewable",
                    "catalog.listed product=book kind=nonConsumable",
                ] + order + ["log.noted text=end at=2026-03-02"]
            #expect(
                try Showing(timeline: lines.joined(separator: "\n")).brief(projection, keys)
                    == expected, "\(order)", sourceLocation: sourceLocation)
        }
    }

    private func orders(of statements: [String]) -> [[String]] {
        guard let last = statements.last else { return [[]] }
        return orders(of: statements.dropLast()).flatMap { order in
            (0...order.count).map { order[..<$0] + [last] + order[$0...] }
        }
    }

    @Test(arguments: [
        "renewal.extended original=t1 transaction=t1 expiresAt=2026-04-01 at=2026-02-10",
        "cancellation.refunded transaction=t1 cancelledAt=2026-02-10 at=2026-02-10",
        "cancellation.revoked transaction=t1 cancelledAt=2026-02-10 at=2026-02-10",
        """
        receipt.listed transaction=t1 original=s1 product=n purchasedAt=2026-02-20 \
        expiresAt=2026-05-01 upgraded=true quantity=3 account=b at=2026-02-20
        """,
        "queue.restored transaction=t1 original=s1 product=n purchasedAt=2026-02-20 at=2026-02-20",
        "account.linked original=t1 account=b at=2026-02-10",
        "renewal.turnedOff original=t1 account=b signedAt=2026-01-01 at=2026-02-10",
    ])
    func `production statements decide a period`(_ word: String) throws {
        for environment in ["sandbox", "xcode"] {
            let statements = [Self.period, "\(word) environment=\(environment)"]
            try expect(
                ["account=a product=m from=2026-02-01 until=2026-03-01 original=t1 ended=expired"],
                of: Entitlements.self, "account product from until original ended", statements)
        }
    }

    @Test func `only production reverses a refund`() throws {
        let refund = "cancellation.refunded transaction=t1 cancelledAt=2026-02-10 at=2026-02-10"
        let reversal = "cancellation.reversed transaction=t1 at=2026-02-12"
        let keys = "until ended"
        try expect(
            ["until=2026-02-10 ended=refunded"], of: Entitlements.self, keys,
            [Self.period, refund, reversal + " environment=sandbox"])
        try expect(
            ["until=2026-03-01 ended=expired"], of: Entitlements.self, keys,
            [Self.period, refund, reversal])
        try expect(
            ["until=2026-02-10 ended=refunded"], of: Entitlements.self, keys,
            [
                Self.period, refund,
                "cancellation.refunded transaction=t1 cancelledAt=2026-02-20 at=2026-02-20 "
                    + "environment=xcode",
            ])
    }

    @Test(arguments: [
        """
        receipt.listed transaction=b1 original=b0 product=m purchasedAt=2026-02-03 \
        expiresAt=2026-02-10 price=9 currency=USD account=b
        """,
        "cancellation.refunded transaction=b1 original=b0 cancelledAt=2026-02-10 account=b",
        "renewal.extended original=b0 transaction=b1 expiresAt=2026-02-10",
    ])
    func `production statements decide a purchase`(_ word: String) throws {
        let statements = [Self.book, "\(word) environment=sandbox signedAt=2026-02-20"]
        try expect(
            ["account=a product=book active=true transaction=b1 original=b1"],
            of: Entitlements.self, "account product active until transaction original", statements)
        try expect(
            ["account=a transactions=1 spent=(EUR=1000)"], of: Accounts.self,
            "account transactions spent refunded", statements)
        try expect([], of: Subscriptions.self, "original", statements)
    }

    @Test func `production decides between test statements before and after it`() throws {
        try expect(
            ["account=a until=2026-03-01"], of: Entitlements.self, "account until",
            [
                "receipt.listed transaction=t1 product=m account=b purchasedAt=2026-01-01 "
                    + "expiresAt=2026-06-01 environment=sandbox",
                Self.period,
                "receipt.listed transaction=t1 product=m account=c purchasedAt=2026-02-01 "
                    + "environment=xcode cancelledAt=2026-02-02",
            ])
    }

    @Test func `a period's account does not own a subscription that only tests give it`() throws {
        let dates = "purchasedAt=2026-02-01 expiresAt=2026-03-01"
        try expect(
            ["original=t1", "account=b original=s3"], of: Subscriptions.self, "account original",
            [
                "receipt.listed transaction=t1 product=m \(dates)",
                "receipt.listed transaction=s3 original=t1 product=m \(dates) environment=sandbox",
                "receipt.listed transaction=s3 product=m \(dates) account=b",
            ])
    }

    @Test func `test statements count in a test log`() throws {
        let showing = Showing(
            timeline: """
                log.opened schema=1 environment=sandbox
                \(Self.period)
                renewal.extended original=t1 transaction=t1 expiresAt=2026-04-01 at=2026-02-10
                account.linked original=t1 account=b at=2026-02-11
                renewal.turnedOff original=t1 at=2026-02-12
                renewal.planChanged original=t1 next=y effect=nextRenewal at=2026-02-13
                """)
        #expect(
            try showing.brief(Subscriptions.self, "account status autoRenew next periods") == [
                "account=b status=active autoRenew=false next=y "
                    + "periods=[(product=m transaction=t1 from=2026-02-01 until=2026-04-01)]"
            ])
        #expect(
            try showing.brief(Entitlements.self, "account until") == ["account=b until=2026-04-01"])
    }

    @Test(arguments: [
        "renewal.turnedOff original=t1", "renewal.failed original=t1 retrying=true",
        "renewal.planChanged original=t1 next=y effect=nextRenewal",
        """
        renewal.renewed transaction=s1 original=t1 product=m purchasedAt=2026-03-01 \
        expiresAt=2026-04-01
        """,
        // Equal start and end; the first by bytes.
        """
        renewal.renewed transaction=s1 original=t1 product=n purchasedAt=2026-02-01 \
        expiresAt=2026-03-01
        """,
    ])
    func `the row of a subscription shows production statements`(_ word: String) throws {
        try expect(
            [
                "status=expired "
                    + "periods=[(product=m transaction=t1 from=2026-02-01 until=2026-03-01)]"
            ],
            of: Subscriptions.self, "status autoRenew next periods",
            [Self.period, "\(word) at=2026-03-01 environment=sandbox"])
        try expect(
            ["product=m until=2026-03-01"], of: Entitlements.self, "product until",
            [Self.period, "\(word) at=2026-03-01 environment=sandbox"])
    }

    @Test func `the restore of a test purchase grants nothing in production`() throws {
        let statements = [
            "\(Self.book) environment=sandbox",
            "queue.restored transaction=b2 original=b1 product=book account=a "
                + "purchasedAt=2026-02-03",
        ]
        try expect([], of: Entitlements.self, "transaction", statements)
        try expect(
            ["transaction=b1"], of: Entitlements.self, "transaction",
            [Self.book] + statements.dropFirst())
    }
}
