import PurchaseProjections
import PurchaseRecorder
import Testing

@testable import PurchaseEvents

/// What StoreKit 2 and the app report while a launch, a purchase or the app's own work goes on.
struct MeanwhileTests {
    private static let bought = ["payment.requested p1 coins", "queue.purchasing p1"]
    private static func presented(_ names: String) -> [String] {
        ["receipt.listed \(names.prefix(2))", "queue.purchased \(names)"]
    }

    // MARK: Launching

    @Test func `a launch leaves the purchases alone that its own process began`() async throws {
        let bench = try await SignedBench(launching: false)
        let key = try await bench.begin()
        try await bench.launch()
        let transaction = bench.transaction("t1")
        await bench.recorder.end(key, .success(transaction))
        #expect(
            bench.events == MeanwhileTests.bought + MeanwhileTests.presented("t1 p1")
                + TestLog.given("t1"))
        #expect(bench.log.events.prefix(2) == ["app.launched", "queue.observed"])
        #expect(bench.app.calls == ["deliver t1", "persist t1"])
        #expect(transaction.finishCount == 1)
        #expect(try bench.log.findings() == [])
    }

    @Test func `unfinished gives a transaction before its call returns: it is the payment's`()
        async throws
    {
        let bench = try await SignedBench(launching: false)
        let key = try await bench.begin()
        try await bench.launch(bench.transaction("t1"))
        await bench.recorder.end(key, .success(bench.transaction("t1")))
        try await bench.relaunch()
        #expect(
            bench.events.dropLast(2) == MeanwhileTests.bought + MeanwhileTests.presented("t1 p1")
                + TestLog.given("t1"))
        #expect(bench.app.calls == ["deliver t1", "persist t1"])
    }

    @Test func `a success of a payment without a key is delivered`() async throws {
        let bench = try await SignedBench()
        let key = try await bench.begin()
        await bench.recorder.end(key, .userCancelled)
        await bench.recorder.end(key, .success(bench.transaction("t1")))
        #expect(bench.events.suffix(5) == MeanwhileTests.presented("t1") + TestLog.given("t1"))
        #expect(try bench.log.findings() == [])
    }

    @Test func `an update before the launch is recorded after it, and presented once`() async throws
    {
        let bench = try await SignedBench(launching: false)
        let transaction = bench.transaction("t1")
        bench.app.during("deliver t1") { throw SignedStoreError.networkError }
        await bench.update(transaction)
        try await bench.launch(transaction)
        #expect(
            bench.log.events == ["app.launched", "queue.observed"] + MeanwhileTests.presented("t1"))
        await bench.recorder.end(try await bench.begin("theme"), .userCancelled)
        bench.app.during("deliver t1", nil)
        try await bench.relaunch([transaction])
        #expect(bench.events.suffix(3) == TestLog.given("t1"))
        #expect(try bench.log.findings() == [])
    }

    @Test func `a transaction that the log can't take stops no other at the launch`() async throws {
        let bench = try await SignedBench()
        await bench.update(bench.transaction("t1"))
        // The same statement with other content.
        let other = bench.transaction("t1", "coins", #","price":990,"currency":"EUR""#)
        let lost = try await bench.begin("theme")
        try await bench.relaunch([other, bench.transaction("t2")])
        #expect(bench.app.problems.count == 1)
        #expect(bench.events.contains("queue.finished t2"))
        #expect(bench.events.suffix(5).contains("queue.failed \(lost) appEnded"))
    }

    @Test func `a purchase that couldn't be recorded is taken when it comes again`() async throws {
        let bench = try await SignedBench()
        bench.log.files.plan { call, count in call == .append && count == 1 ? .fail(28) : nil }
        await bench.update(bench.transaction("t1"))
        #expect(bench.events == ["receipt.listed t1"])
        bench.log.files.heal()
        await bench.update(bench.transaction("t1"))
        #expect(bench.events == MeanwhileTests.presented("t1") + TestLog.given("t1"))
    }

    // MARK: Buying

    @Test(arguments: [nil, ObservedPurchaseResult.pending, .userCancelled, .failed(.networkError)])
    func `another transaction of the product, while the call is open, takes nothing from it`(
        _ end: ObservedPurchaseResult?
    ) async throws {
        let bench = try await SignedBench()
        let key = try await bench.begin()
        await bench.update(bench.transaction("t0"))
        await bench.recorder.end(key, end ?? .success(bench.transaction("t1")))
        if end != nil { await bench.update(bench.transaction("t1")) }
        #expect(
            bench.events == MeanwhileTests.bought + MeanwhileTests.presented("t0 p1")
                + TestLog.given("t0") + MeanwhileTests.presented("t1") + TestLog.given("t1"))
        try await bench.relaunch()
        #expect(!bench.events.contains { $0.hasPrefix("queue.failed") })
        #expect(bench.app.problems == [])
        #expect(try bench.log.findings() == [])
    }

    @Test func `an approval is of the deferred payment, not of one whose call is open`()
        async throws
    {
        let bench = try await SignedBench()
        let open = try await bench.begin()
        await bench.recorder.end(try await bench.begin(), .pending)
        await bench.update(bench.transaction("t2"))
        await bench.recorder.end(open, .success(bench.transaction("t1")))
        #expect(
            bench.events.filter { $0.hasPrefix("queue.purchased") } == [
                "queue.purchased t2 p2", "queue.purchased t1 p1",
            ])
        #expect(try bench.log.findings() == [])
    }

    @Test func `of two alike payments, each transaction answers one, whichever comes first`()
        async throws
    {
        let bench = try await SignedBench()
        let keys = [try await bench.begin(), try await bench.begin()]
        // The second call's transaction comes before the call returns.
        await bench.update(bench.transaction("t2"))
        await bench.recorder.end(keys[1], .success(bench.transaction("t2")))
        await bench.recorder.end(keys[0], .success(bench.transaction("t1")))
        #expect(
            bench.events.filter { $0.hasPrefix("queue.purchased") } == [
                "queue.purchased t2 p1", "queue.purchased t1 p2",
            ])
        // An open payment that stands in for a deferred one waits like it.
        await bench.recorder.end(try await bench.begin(), .pending)
        let open = try await bench.begin()
        await bench.update(bench.transaction("t4"))
        await bench.recorder.end(open, .success(bench.transaction("t4")))
        try await bench.relaunch()
        await bench.update(bench.transaction("t3"))
        #expect(bench.events.suffix(4) == ["queue.purchased t3 p4"] + TestLog.given("t3"))
        #expect(!bench.app.calls.contains { $0.hasPrefix("show") })
        #expect(try bench.log.findings() == [])
    }

    // MARK: Working

    @Test func `a refund while the app delivers is followed by a withdrawal`() async throws {
        let bench = try await SignedBench()
        let (recorder, transaction) = (bench.recorder, bench.transaction("t1"))
        bench.log.clock.advance(hours: 1)
        let refund = bench.transaction("t1", "coins", bench.refunded(0))
        bench.app.during("deliver t1") { await recorder.received(update: refund) }
        bench.app.during("withdraw t1 refunded") { throw SignedStoreError.networkError }
        await bench.update(transaction)
        #expect(bench.events.last == "cancellation.refunded t1")
        #expect(transaction.finishCount == 0)
        // The withdrawal stays due, also in another process.
        bench.app.during("withdraw t1 refunded", nil)
        try await bench.relaunch([transaction])
        let withdrawal = "withdraw t1 refunded"
        #expect(bench.app.calls == ["deliver t1", withdrawal, withdrawal])
        #expect(bench.events.suffix(2) == ["delivery.withdrawn t1 refunded", "queue.finished t1"])
        await bench.recorder.workOnDueTasks()
        #expect(bench.app.calls.count == 3)
        #expect(try bench.log.findings() == [])
    }

    @Test func `a refund of an entitlement while the app delivers is followed by a withdrawal`()
        async throws
    {
        let bench = try await SignedBench()
        let (recorder, transaction) = (bench.recorder, bench.transaction("t1", "theme"))
        bench.log.clock.advance(hours: 1)
        let refund = bench.transaction("t1", "theme", bench.refunded(0))
        bench.app.during("deliver t1") { await recorder.received(update: refund) }
        await bench.recorder.received(entitlements: [transaction])
        #expect(bench.app.calls == ["deliver t1", "withdraw t1 refunded"])
        #expect(bench.events.last == "delivery.withdrawn t1 refunded")
        #expect(try bench.log.findings() == [])
    }

    @Test func `a reversal while the app withdraws is followed by a delivery`() async throws {
        let bench = try await SignedBench()
        let recorder = bench.recorder
        await bench.update(bench.transaction("t1", "theme"))
        bench.log.clock.advance(hours: 1)
        let refund = bench.transaction("t1", "theme", bench.refunded(0))
        bench.log.clock.advance(hours: 1)
        let reversal = bench.transaction("t1", "theme")
        bench.app.during("withdraw t1 refunded") { await recorder.received(update: reversal) }
        await bench.update(refund)
        #expect(bench.app.calls.suffix(2) == ["withdraw t1 refunded", "deliver t1"])
        #expect(bench.events.last == "cancellation.reversed t1")
        #expect(try bench.log.findings() == [])
    }

    @Test func `work asked for while other work goes on is tried again`() async throws {
        let bench = try await SignedBench()
        let recorder = bench.recorder
        bench.app.during("deliver t1") { throw SignedStoreError.networkError }
        await bench.update(bench.transaction("t1"))
        let app = bench.app
        app.during("deliver t2") {
            // The handler's own question doesn't repeat its failure.
            await recorder.workOnDueTasks()
            app.during("deliver t1", nil)
            await Task.detached { await recorder.workOnDueTasks() }.value
        }
        await bench.update(bench.transaction("t2"))
        #expect(bench.events.filter { $0.hasSuffix("t1") }.suffix(3) == TestLog.given("t1"))
        #expect(app.calls.filter { $0 == "deliver t1" }.count == 3)
    }

    @Test func `a handler that asks for work when its own fails is not called for ever`()
        async throws
    {
        let bench = try await SignedBench()
        let recorder = bench.recorder
        bench.app.during("deliver t1") {
            await recorder.workOnDueTasks()
            throw SignedStoreError.networkError
        }
        await bench.update(bench.transaction("t1"))
        #expect(bench.app.calls == ["deliver t1"])
    }

    // MARK: Restoring

    @Test func `a second restore ends the first`() async throws {
        let bench = try await SignedBench()
        try await bench.recorder.beginRestore()
        try await bench.recorder.beginRestore()
        await bench.recorder.endRestore(nil)
        await bench.recorder.endRestore(nil)
        #expect(
            bench.events == [
                "restore.requested", "restore.failed restarted", "restore.requested",
                "restore.completed",
            ])
        #expect(try bench.log.findings() == [])
    }

    @Test func `a launch ends the lost restore alone, not one that its own process began`()
        async throws
    {
        let bench = try await SignedBench()
        try await bench.recorder.beginRestore()
        try bench.restart()
        try await bench.recorder.beginRestore()
        try await bench.launch()
        await bench.recorder.endRestore(nil)
        #expect(bench.events.suffix(2) == ["restore.requested", "restore.completed"])
        #expect(try bench.log.findings() == [])
    }
}
