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

    @Test(arguments: [("PURCHASED", "refunded"), ("FAMILY_SHARED", "revoked")])
    func `a later statement without a revocation reverses it, and the app delivers again`(
        _ ownership: String, _ word: String
    ) async throws {
        let bench = try await SignedBench()
        func transaction(_ more: String = "") -> SignedTransactionStub {
            bench.transaction("t1", "theme", more, ownership: ownership)
        }
        await bench.update(transaction())
        bench.log.clock.advance(hours: 1)
        let early = transaction()
        bench.log.clock.advance(hours: 1)
        let refund = transaction(bench.refunded(0))
        await bench.update(refund)
        // One that was signed before the refund reverses nothing.
        await bench.recorder.received(history: [early])
        await bench.recorder.received(entitlements: [early])
        #expect(
            bench.events.suffix(2) == ["delivery.withdrawn t1 \(word)", "receipt.listed t1"])
        bench.log.clock.advance(hours: 1)
        let later = transaction()
        await bench.recorder.received(history: [later])
        let events = bench.events
        #expect(
            events.suffix(3) == [
                "receipt.listed t1", "cancellation.reversed t1", "delivery.delivered t1",
            ])
        #expect(bench.app.calls.suffix(2) == ["withdraw t1 \(word)", "deliver t1"])
        // Nor does an old statement take it back, or the same one say it twice.
        await bench.recorder.received(history: [refund, early])
        await bench.recorder.received(entitlements: [later])
        #expect(bench.events == events)
        #expect(try bench.log.findings() == [])
    }

    @Test func `a statement that isn't understood in full or is of a test reverses nothing`()
        async throws
    {
        let bench = try await SignedBench()
        await bench.update(bench.transaction("t1", "theme"))
        await bench.update(bench.transaction("t1", "theme", bench.refunded(0)))
        bench.log.clock.advance(hours: 1)
        let broken = bench.transaction("t1", "theme", #","revocationDate":"soon""#)
        let test = bench.transaction("t1", "theme", environment: "Sandbox")
        await bench.recorder.received(entitlements: [broken, test])
        #expect(!bench.events.contains("cancellation.reversed t1"))
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
