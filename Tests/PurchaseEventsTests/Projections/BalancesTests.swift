import PurchaseEvents
import PurchaseProjections
import Testing

/// What accounts bought, got, consumed and gave back of consumables.
@Suite struct BalancesTests {
    private static let keys =
        "account bought delivered consumed withdrawn refunded left uncollected"

    /// The rows of a history after the catalogue lists coins as a consumable.
    private func rows(_ history: String, asOf instant: String? = nil) throws -> [String] {
        let listed = "catalog.listed product=coins kind=consumable\n"
        return try Showing(timeline: listed + history)
            .brief(Balances.self, BalancesTests.keys, asOf: instant)
    }

    private static let bought = """
        queue.purchased transaction=t1 product=coins quantity=5 account=a
        delivery.delivered transaction=t1 account=a

        """

    @Test func `what is used up before a refund is uncollected`() throws {
        let used = BalancesTests.bought + "delivery.consumed product=coins quantity=3 account=a\n"
        #expect(
            try rows(used) == [
                "account=a bought=5 delivered=5 consumed=3 withdrawn=0 refunded=0 left=2 "
                    + "uncollected=0"
            ])
        let refunded =
            used + "cancellation.refunded transaction=t1 cancelledAt=2026-01-01T00:10:00Z\n"
        #expect(
            try rows(refunded) == [
                "account=a bought=5 delivered=5 consumed=3 withdrawn=0 refunded=5 left=2 "
                    + "uncollected=3"
            ])
        // The app takes back what is left, or all of the transaction: nothing is left either way.
        for quantity in [" quantity=2", ""] {
            let units = quantity.isEmpty ? 5 : 2
            #expect(
                try rows(
                    refunded + "delivery.withdrawn transaction=t1 reason=refunded\(quantity)\n")
                    == [
                        "account=a bought=5 delivered=5 consumed=3 withdrawn=\(units) refunded=5 "
                            + "left=0 uncollected=3"
                    ])
        }
        #expect(
            try rows(refunded + "cancellation.reversed transaction=t1\n") == [
                "account=a bought=5 delivered=5 consumed=3 withdrawn=0 refunded=0 left=2 "
                    + "uncollected=0"
            ])
    }

    @Test func `units that stay paid for are used first`() throws {
        let history =
            BalancesTests.bought + """
                queue.purchased transaction=t2 product=coins quantity=5 account=a
                delivery.delivered transaction=t2 account=a
                delivery.consumed product=coins quantity=3 account=a
                cancellation.refunded transaction=t1 cancelledAt=2026-01-01T00:10:00Z

                """
        #expect(
            try rows(history) == [
                "account=a bought=10 delivered=10 consumed=3 withdrawn=0 refunded=5 left=7 "
                    + "uncollected=0"
            ])
        #expect(
            try rows(history + "delivery.consumed product=coins quantity=4 account=a\n") == [
                "account=a bought=10 delivered=10 consumed=7 withdrawn=0 refunded=5 left=3 "
                    + "uncollected=2"
            ])
        // No more is lost than was refunded, whatever else an account used.
        #expect(
            try rows(history + "delivery.consumed product=coins quantity=90 account=a\n") == [
                "account=a bought=10 delivered=10 consumed=93 withdrawn=0 refunded=5 left=0 "
                    + "uncollected=5"
            ])
    }

    @Test func `a refund of a part counts whole units, and a revocation none`() throws {
        func refunded(_ statement: String) throws -> [String] {
            try rows(
                BalancesTests.bought + "delivery.consumed product=coins quantity=5 account=a\n"
                    + "\(statement) transaction=t1 cancelledAt=2026-01-01T00:10:00Z")
        }
        func row(_ refunded: Int) -> [String] {
            [
                "account=a bought=5 delivered=5 consumed=5 withdrawn=0 refunded=\(refunded) left=0 "
                    + "uncollected=\(refunded)"
            ]
        }
        #expect(try refunded("cancellation.refunded percent=50000") == row(2))
        #expect(try refunded("cancellation.refunded percent=19999") == row(0))
        #expect(try refunded("cancellation.refunded percent=20000") == row(1))
        #expect(try refunded("cancellation.refunded percent=100000") == row(5))
        #expect(try refunded("cancellation.refunded") == row(5))
        #expect(try refunded("cancellation.revoked") == row(0))
    }

    @Test func `what was never delivered can't be lost`() throws {
        #expect(
            try rows(
                """
                queue.purchased transaction=t1 product=coins quantity=5 account=a
                delivery.delivered transaction=t1 quantity=2 account=a
                delivery.consumed product=coins quantity=4 account=a
                cancellation.refunded transaction=t1 cancelledAt=2026-01-01T00:10:00Z
                """) == [
                    "account=a bought=5 delivered=2 consumed=4 withdrawn=0 refunded=5 left=0 "
                        + "uncollected=2"
                ])
    }

    @Test func `a delivery again adds to what was delivered, and to what is left`() throws {
        #expect(
            try rows(
                BalancesTests.bought + """
                    delivery.withdrawn transaction=t1 reason=other account=a
                    delivery.delivered transaction=t1 account=a
                    """) == [
                    "account=a bought=5 delivered=10 consumed=0 withdrawn=5 refunded=0 left=5 "
                        + "uncollected=0"
                ])
    }

    @Test func `a quantity stated after the delivery counts`() throws {
        #expect(
            try rows(
                """
                delivery.delivered transaction=t1 account=a
                queue.purchased transaction=t1 product=coins quantity=5 account=a
                """) == [
                    "account=a bought=5 delivered=5 consumed=0 withdrawn=0 refunded=0 left=5 "
                        + "uncollected=0"
                ])
    }

    @Test func `consumption without an account is the only buyer's, else nobody's`() throws {
        let unnamed = BalancesTests.bought + "delivery.consumed product=coins quantity=2\n"
        #expect(
            try rows(unnamed) == [
                "account=a bought=5 delivered=5 consumed=2 withdrawn=0 refunded=0 left=3 "
                    + "uncollected=0"
            ])
        #expect(
            try rows(unnamed + "queue.purchased transaction=t2 product=coins account=b\n") == [
                "bought=0 delivered=0 consumed=2 withdrawn=0 refunded=0 left=0 uncollected=0",
                "account=a bought=5 delivered=5 consumed=0 withdrawn=0 refunded=0 left=5 "
                    + "uncollected=0",
                "account=b bought=1 delivered=0 consumed=0 withdrawn=0 refunded=0 left=0 "
                    + "uncollected=0",
            ])
    }

    @Test func `who consumed without a purchase has a row`() throws {
        #expect(
            try rows(
                """
                catalog.listed product=level kind=nonConsumable
                delivery.consumed product=coins quantity=2 account=b
                delivery.consumed product=level account=b
                """) == [
                    "account=b bought=0 delivered=0 consumed=2 withdrawn=0 refunded=0 left=0 "
                        + "uncollected=0"
                ])
    }

    @Test func `other environments and other kinds of products have no row`() throws {
        #expect(
            try rows(
                """
                catalog.listed product=level kind=nonConsumable
                queue.purchased transaction=t1 product=coins account=a environment=sandbox
                delivery.consumed product=coins account=a environment=sandbox
                queue.purchased transaction=t2 product=level account=a
                queue.purchased transaction=t3 product=unknown account=a
                """) == [])
    }

    @Test func `at an instant, later refunds and uses don't count`() throws {
        let history =
            BalancesTests.bought + """
                delivery.consumed product=coins account=a at=2026-02-01
                cancellation.refunded transaction=t1 cancelledAt=2026-03-01T00:00:00Z at=2026-03-02
                """
        #expect(
            try rows(history, asOf: "2026-01-15") == [
                "account=a bought=5 delivered=5 consumed=0 withdrawn=0 refunded=0 left=5 "
                    + "uncollected=0"
            ])
        #expect(
            try rows(history, asOf: "2026-02-15") == [
                "account=a bought=5 delivered=5 consumed=1 withdrawn=0 refunded=0 left=4 "
                    + "uncollected=0"
            ])
        #expect(
            try rows(history) == [
                "account=a bought=5 delivered=5 consumed=1 withdrawn=0 refunded=5 left=4 "
                    + "uncollected=1"
            ])
    }
}
