import PurchaseProjections
import PurchaseRecorder
import Testing

@testable import PurchaseEvents

/// What StoreKit 2 states outside of purchases, updates and entitlements.
struct HistoryTests {
    @Test func `all: a refund made while the app was closed is stated and acted on`() async throws {
        let bench = try await SignedBench()
        await bench.recorder.received(entitlements: [bench.transaction("t1", "theme")])
        bench.log.clock.advance(hours: 72)
        let refund = bench.refunded(0)
        await bench.recorder.received(history: [bench.transaction("t1", "theme", refund)])
        #expect(
            bench.events.suffix(3) == [
                "receipt.listed t1", "cancellation.refunded t1", "delivery.withdrawn t1 refunded",
            ])
        // Nothing that the log knows is recorded again.
        let count = bench.events.count
        bench.log.clock.advance(hours: 24)
        await bench.recorder.received(history: [bench.transaction("t1", "theme", refund)])
        #expect(bench.events.count == count)
        #expect(try bench.log.findings() == [])
    }

    @Test func `a redeemed offer code is a purchase without a payment`() async throws {
        let bench = try await SignedBench()
        await bench.recorder.received(redemption: bench.transaction("t1", "theme"))
        #expect(bench.events == ["receipt.listed t1", "queue.purchased t1"] + TestLog.given("t1"))
        #expect(try bench.log.findings() == [])
    }

    @Test func `an account is written in lower case`() async throws {
        let bench = try await SignedBench()
        let account = SignedBench.account.uppercased()
        _ = try await bench.recorder.begin(PaymentOrder(product: "coins", account: account))
        try await bench.recorder.beginRestore(account: account)
        let text = bench.log.lines.joined()
        #expect(!text.contains(account) && text.contains(SignedBench.account))
        #expect(try bench.recorder.ledger.entitlements(account: AccountID(account)).isEmpty)
    }
}
