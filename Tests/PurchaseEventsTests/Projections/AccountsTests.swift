import PurchaseEvents
import PurchaseProjections
import Testing

/// What accounts bought, spent and got back.
@Suite struct AccountsTests {
    @Test func `money is summed by currency and never past its range`() throws {
        let most = 9_007_199_254_740_991
        var history = """
            queue.purchased transaction=e1 product=a account=a price=990 currency=EUR
            queue.purchased transaction=u1 product=a account=a price=10 currency=USD
            queue.purchased transaction=n1 product=a account=a price=10
            queue.restored transaction=r1 original=e1 product=a account=a
            cancellation.refunded transaction=e1 cancelledAt=2026-01-01T01:00:00Z percent=33333
            cancellation.revoked transaction=u1 cancelledAt=2026-01-01T02:00:00Z

            """
        for index in 0..<1_100 {
            history += "queue.purchased transaction=j\(index) product=a account=b "
            history += "price=\(most) currency=JPY\n"
        }
        #expect(
            try Showing(timeline: history).brief(
                Accounts.self, "account transactions spent refunded") == [
                    "account=a transactions=3 spent=(EUR=990 USD=10) refunded=(EUR=330)",
                    "account=b transactions=1100 spent=(JPY=\(Int64.max))",
                ])
    }

    @Test func `many payers within thirty days are irregular`() throws {
        func rows(_ days: [String]) throws -> [String] {
            var history = ""
            for (index, day) in days.enumerated() {
                history +=
                    "payment.requested payment=p\(index) payer=s\(index) account=a at=\(day)\n"
            }
            return try Showing(timeline: history).brief(Accounts.self, "payers irregular")
        }
        #expect(
            try rows(["2026-01-01", "2026-01-02", "2026-03-01"]) == [
                "payers=[s0 s1 s2] irregular=false"
            ])
        #expect(
            try rows(["2026-01-01", "2026-01-20", "2026-01-30"]) == [
                "payers=[s0 s1 s2] irregular=true"
            ])
    }

    @Test func `a moved line belongs to the other account`() throws {
        let showing = try Showing("valid/account-linked.jsonl")
        let rows = try showing.fold().rows(of: Accounts.self)
        #expect(rows.map(\.transactions).sorted() == [0, 1])
        #expect(
            try showing.brief(Accounts.self, "transactions spent").contains(
                "transactions=1 spent=(USD=4990)"))
    }

    @Test func `irregular is what the rule finds`() throws {
        let showing = Showing(
            timeline: """
                payment.requested payment=p1 account=a payer=s1 at=2026-02-10
                payment.requested payment=p2 account=a payer=s2 at=2026-01-01
                payment.requested payment=p3 account=a payer=s3 at=2026-01-20
                payment.requested payment=p4 payer=s1
                payment.requested payment=p5 payer=s2
                payment.requested payment=p6 payer=s3
                """)
        #expect(
            try showing.brief(Accounts.self, "account irregular") == [
                "irregular=false", "account=a irregular=false",
            ])
    }
}
