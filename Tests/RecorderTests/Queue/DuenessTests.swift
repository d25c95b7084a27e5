import PurchaseEvents
import PurchaseProjections
import PurchaseRecorder
import Testing

/// When the recorder performs tasks, and what it does if the app or the machine fails.
struct DuenessTests {
    @Test(arguments: ["deliver", "persist", "install"])
    func `what the app can't do now stays due and isn't finished`(_ act: String) throws {
        let bench = try Bench()
        bench.app.failing = [act]
        let purchase = bench.purchase("birds", "t1")
        purchase.downloads = [TestDownload("birds-1", of: purchase, .finished)]
        bench.show(purchase)
        #expect(!bench.events.contains("queue.finished t1"))
        #expect(
            bench.app.problems.contains(.notDone(transaction: "t1", reason: "\(act) fails")))
        bench.app.failing = []
        bench.recorder.workOnDueTasks()
        #expect(bench.events.last == "queue.finished t1")
        #expect(try bench.log.findings() == [])
    }

    /// Only the queue has a purchase's downloads: before it speaks, nobody knows of the files.
    @Test func `a purchase that may have files waits after a launch until the queue shows it`()
        throws
    {
        let bench = try Bench()
        bench.app.failing = ["install", "deliver"]
        let birds = bench.purchase("birds", "t1")
        birds.downloads = [TestDownload("birds-1", of: birds, .finished)]
        let coins = bench.purchase("coins", "t2")
        bench.show(birds, coins)
        bench.app.failing = []
        try bench.relaunch()
        #expect(bench.events.contains("delivery.delivered t2"))
        #expect(!bench.events.contains("delivery.delivered t1"))
        bench.show(birds.again, coins.again)
        #expect(
            bench.events.filter { $0.hasSuffix(" t1") }.suffix(4)
                == ["delivery.installed t1"] + TestLog.given("t1"))
        #expect(try bench.log.findings() == [])
    }

    @Test func `a purchase delivered at a launch has the quantity and date that the log has`()
        throws
    {
        let bench = try Bench()
        bench.app.failing = ["deliver"]
        let coins = bench.purchase("coins", "t1", quantity: 3)
        bench.show(coins)
        bench.app.failing = []
        try bench.relaunch()
        let delivered = try #require(bench.app.delivered.first)
        #expect(bench.app.delivered.count == 1)
        #expect(delivered.transaction == "t1")
        #expect(delivered.quantity == 3)
        #expect(delivered.purchasedAt == coins.observedDate)
        bench.show(coins.again)
        #expect(bench.events.last == "queue.finished t1")
        #expect(try bench.log.findings() == [])
    }

    @Test func `a validated purchase is delivered, an invalid one finished, another one waits`()
        throws
    {
        let bench = try Bench()
        bench.app.validation = .unreachable
        bench.show(bench.purchase("theme", "t1"))
        #expect(bench.events.last == "delivery.validated t1 unreachable")
        bench.app.validation = .valid
        bench.recorder.workOnDueTasks()
        #expect(bench.events.contains("delivery.validated t1 valid"))
        #expect(bench.events.last == "queue.finished t1")
        bench.app.validation = .invalid
        bench.show(bench.purchase("birds", "t2"))
        #expect(
            bench.events.suffix(2) == ["delivery.validated t2 invalid", "queue.finished t2"])
        #expect(!bench.app.calls.contains("deliver t2"))
        #expect(try bench.log.findings() == [])
    }

    @Test func `a refund withdraws what was delivered, and says why`() throws {
        let bench = try Bench()
        bench.show(bench.purchase("theme", "t1"))
        bench.clock.advance(hours: 1)
        try bench.refund("t1")
        #expect(bench.app.calls.last == "withdraw t1 refunded")
        #expect(bench.events.last == "delivery.withdrawn t1 refunded")
        #expect(try bench.log.findings() == [])
    }

    @Test func `a refund before the delivery finishes without one`() throws {
        let bench = try Bench()
        bench.app.failing = ["deliver"]
        bench.show(bench.purchase("coins", "t1"))
        try bench.refund("t1")
        #expect(bench.events.last == "queue.finished t1")
        #expect(!bench.events.contains { $0.hasPrefix("delivery") })
        #expect(try bench.log.findings() == [])
    }

    @Test func `the app delivers to the account that paid`() throws {
        let bench = try Bench()
        bench.show(bench.purchase("coins", "t1", account: "b4b82d5e-11f0-4a31-9d3e-2c5f7a9b0c1d"))
        let delivery = bench.log.lines.first { $0.contains("delivery.delivered") }
        #expect(delivery?.contains(#""account":"b4b82d5e-11f0-4a31-9d3e-2c5f7a9b0c1d""#) == true)
    }

    @Test func `nothing is finished that can't be recorded`() throws {
        let bench = try Bench()
        bench.log.files.stop(afterBytes: 0)
        bench.show(bench.purchase("coins", "t1"))
        #expect(bench.queue.calls == ["begin"])
        #expect(!bench.app.problems.isEmpty)
    }

    @Test func `a name that no log holds costs only its own transaction`() throws {
        let bench = try Bench()
        bench.show(bench.purchase("co\u{1}ins", "t1"), bench.purchase("theme", "t2"))
        #expect(bench.app.problems.count == 1)
        #expect(bench.events.last == "queue.finished t2")
        #expect(!bench.queue.calls.contains("finish t1"))
    }
}
