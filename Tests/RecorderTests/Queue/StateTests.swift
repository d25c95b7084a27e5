import PurchaseEvents
import PurchaseProjections
import PurchaseRecorder
import Testing

/// Each state of table 4-1, and similar ones, with their events (G4.2, G4.16).
struct StateTests {
    @Test func `a launch registers the observer at once`() throws {
        let bench = try Bench()
        #expect(bench.log.events == ["app.launched", "queue.observed"])
        #expect(bench.queue.calls == ["begin"])
    }

    @Test func `purchasing is recorded, and the app shows it`() throws {
        let bench = try Bench()
        let key = try bench.buy("coins")
        bench.show(TestTransaction(.purchasing, "coins"))
        #expect(bench.events == ["payment.requested \(key) coins", "queue.purchasing \(key)"])
        #expect(bench.app.calls == ["purchasing coins"])
        #expect(bench.queue.calls.last == "add coins")
    }

    @Test func `deferred is recorded, and the app shows it and waits`() throws {
        let bench = try Bench()
        let transaction = try bench.buying("coins")
        transaction.observedState = .deferred
        bench.show(transaction)
        #expect(bench.events.suffix(2) == ["queue.purchasing p1", "queue.deferred p1"])
        #expect(bench.app.calls.last == "deferred coins")
        #expect(!bench.queue.calls.contains { $0.hasPrefix("finish") })
    }

    @Test func `failed is recorded, shown, and finished`() throws {
        let bench = try Bench()
        let transaction = try bench.buying("coins")
        transaction.fail(2)
        bench.show(transaction)
        bench.recorder.removed([transaction])
        #expect(
            bench.events.suffix(3) == [
                "queue.failed p1 cancelled", "queue.finished p1", "queue.removed p1",
            ])
        #expect(bench.app.calls.last == "show cancelled")
        #expect(bench.queue.calls.last == "finish coins")
        #expect(try bench.log.findings() == [])
    }

    @Test func `purchased is recorded, delivered, persisted, and then finished`() throws {
        let bench = try Bench()
        let transaction = try bench.buying("coins", quantity: 2)
        transaction.purchase("t1", at: bench.clock.now)
        bench.show(transaction)
        bench.recorder.removed([transaction])
        #expect(
            bench.events.suffix(5)
                == ["queue.purchased t1 p1"] + TestLog.given("t1") + ["queue.removed t1"])
        #expect(bench.app.calls.suffix(2) == ["deliver t1", "persist t1"])
        #expect(try bench.log.findings() == [])
    }

    @Test func `a renewal names its original and no payment`() throws {
        let bench = try Bench()
        let original = bench.purchase("news", "t1")
        let renewal = bench.purchase("news", "t2")
        renewal.observedOriginal = original
        bench.show(renewal)
        #expect(bench.events.first == "queue.purchased t2")
        #expect(bench.log.lines.contains { $0.contains(#""original":"t1""#) })
    }

    @Test func `restored is recorded with its original, once the restore has ended delivered`()
        throws
    {
        let bench = try Bench()
        try bench.restore()
        let original = bench.purchase("theme", "t1")
        let restored = TestTransaction(
            .restored, "theme", id: "t2", at: bench.clock.now, original: original)
        bench.show(restored)
        #expect(bench.events == ["restore.requested", "queue.restored t2"])
        #expect(!bench.app.calls.contains("deliver t2"))
        bench.recorder.restoreCompleted()
        #expect(bench.events.suffix(4) == ["restore.completed"] + TestLog.given("t2"))
    }

    @Test func `a state that nobody knows is told to the app and not recorded`() throws {
        let bench = try Bench()
        bench.show(TestTransaction(nil, "coins"))
        #expect(bench.events == [])
        #expect(
            bench.app.problems
                == [.notRecorded("a transaction in an unknown state", product: "coins")])
    }

    @Test func `a purchase without identifier or date is told to the app and never finished`()
        throws
    {
        let bench = try Bench()
        bench.show(TestTransaction(.purchased, "coins"))
        bench.show(TestTransaction(.restored, "coins", id: "t1", at: bench.clock.now))
        #expect(bench.events == [])
        #expect(bench.app.problems.count == 2)
        #expect(bench.queue.calls == ["begin"])
    }

    @Test(arguments: [true, false])
    func `a deferred payment is purchased or fails under its key`(_ isApproved: Bool) throws {
        let bench = try Bench()
        try bench.buy("coins")
        let transaction = TestTransaction(.deferred, "coins")
        bench.show(transaction)
        if isApproved {
            transaction.purchase("t1", at: bench.clock.now)
        } else {
            transaction.fail(2)
        }
        bench.show(transaction)
        let own = bench.events.filter { $0.hasPrefix("queue") }
        #expect(
            own == ["queue.deferred p1"]
                + (isApproved
                    ? ["queue.purchased t1 p1", "queue.finished t1"]
                    : ["queue.failed p1 cancelled", "queue.finished p1"]))
        #expect(try bench.log.findings() == [])
    }

    /// States come in any order, and not all of them come (G4.3).
    @Test func `a payment may be purchased or fail before the queue showed it in progress`() throws
    {
        let bench = try Bench()
        try bench.buy("coins")
        bench.show(bench.purchase("coins", "t1"))
        try bench.buy("theme")
        let failed = TestTransaction(.purchasing, "theme")
        failed.fail(0)
        bench.show(failed)
        #expect(
            bench.events.filter { $0.hasPrefix("queue") } == [
                "queue.purchased t1 p1", "queue.finished t1", "queue.failed p2 unknown",
                "queue.finished p2",
            ])
        #expect(try bench.log.findings() == [])
    }

    @Test func `what isn't finished is presented at the next launch, and delivered once`() throws {
        let bench = try Bench()
        bench.app.failing = ["deliver"]
        let purchase = bench.purchase("theme", "t1")
        bench.show(purchase)
        #expect(!bench.events.contains("queue.finished t1"))
        bench.app.failing = []
        try bench.relaunch()
        bench.show(purchase.again)
        #expect(bench.events.filter { $0 == "queue.purchased t1" }.count == 2)
        #expect(bench.events.filter { $0 == "delivery.delivered t1" }.count == 1)
        #expect(bench.events.last == "queue.finished t1")
        #expect(try bench.log.findings() == [])
    }

    @Test func `an entry that the queue never showed is removed by its identifier`() throws {
        let bench = try Bench()
        bench.recorder.removed([bench.purchase("theme", "t1"), TestTransaction(.failed, "coins")])
        #expect(bench.events == ["queue.removed t1"])
    }

    @Test func `a restored purchase has the date of the restore and that of the purchase`() throws {
        let bench = try Bench()
        let original = bench.purchase("theme", "t1")
        bench.clock.advance(hours: 24)
        bench.show(
            TestTransaction(
                .restored, "theme", id: "t2", at: bench.clock.now, original: original))
        let line = bench.log.lines.first { $0.contains("queue.restored") }
        #expect(
            line?.contains(
                #""original":"t1","product":"theme","purchasedAt":"2026-01-02T00:00:00.000Z","#
                    + #""originalPurchasedAt":"2026-01-01T00:00:00.000Z""#) == true)
    }

    @Test func `all states have a test here`() {
        #expect(ObservedTransactionState.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
    }

    // MARK: Errors

    @Test func `each error of the store has its word`() {
        let words = (0...21).map { StoreFailure(domain: StoreFailure.storeDomain, code: $0).word }
        #expect(
            words.prefix(8) == [
                "unknown", "invalidClient", "cancelled", "invalidPayment", "notAllowed",
                "productUnavailable", "cloudServicePermissionDenied", "network",
            ])
        #expect(Set(words).count == 22)
        #expect(words.last == "SKErrorDomain 21")
        #expect(StoreFailure(domain: "NSURLErrorDomain", code: -1_009).word == "network")
        #expect(StoreFailure(domain: "AMSErrorDomain", code: 9).word == "AMSErrorDomain")
        #expect(StoreFailure(domain: "", code: 9).word == "unknown")
    }

    @Test func `confirmation required is interrupted: failed now, maybe purchased later`() throws {
        let bench = try Bench()
        let transaction = try bench.buying("coins")
        transaction.fail(0, causes: [.init(domain: "ASDServerErrorDomain", code: 2_024)])
        bench.show(transaction)
        bench.show(bench.purchase("coins", "t1"))
        #expect(
            bench.events.filter { $0.hasPrefix("queue") && !$0.contains("purchasing") } == [
                "queue.failed p1 interrupted", "queue.finished p1", "queue.purchased t1",
                "queue.finished t1",
            ])
        #expect(try bench.log.findings() == [])
    }

    // MARK: Downloads

    @Test func `every state of a download is recorded where it changes`() throws {
        let bench = try Bench()
        bench.listHosted("birds")
        let purchase = bench.purchase("birds", "t1")
        let download = TestDownload("birds-1", of: purchase)
        purchase.downloads = [download]
        bench.show(purchase)
        #expect(bench.queue.calls.last == "start birds-1")
        let states: [DownloadState] = [.active, .active, .paused, .active, .failed, .active]
        for state in states + [.finished] {
            download.state = state
            bench.recorder.updated(downloads: [download])
        }
        let seen = bench.events.filter { $0.hasPrefix("delivery.download") }.map {
            $0.split(separator: " ").last
        }
        #expect(seen == ["waiting", "active", "paused", "active", "failed", "active", "finished"])
        #expect(bench.events.suffix(4) == ["delivery.installed t1"] + TestLog.given("t1"))
        #expect(try bench.log.findings() == [])
    }

    @Test func `a cancelled download ends, and the purchase is delivered without it`() throws {
        let bench = try Bench()
        let purchase = bench.purchase("birds", "t1")
        purchase.downloads = [TestDownload("birds-1", of: purchase, .cancelled)]
        bench.listHosted("birds")
        bench.show(purchase)
        #expect(DownloadState.allCases.count == 6)
        let ended = ["queue.purchased t1", "delivery.download t1 birds-1 cancelled"]
        #expect(bench.events.suffix(5) == ended + TestLog.given("t1"))
    }

    @Test func `a failed download has its error, and one in an unknown state is told`() throws {
        let bench = try Bench()
        let purchase = bench.purchase("birds", "t1")
        let download = TestDownload("birds-1", of: purchase, .failed)
        download.observedDownloadFailure = StoreFailure(domain: "NSURLErrorDomain", code: -1_009)
        purchase.downloads = [download]
        bench.listHosted("birds")
        bench.show(purchase)
        let failed = #""state":"failed","bytes":0,"total":100,"error":"network""#
        #expect(bench.log.lines.last?.contains(failed) == true)
        #expect(!bench.events.contains("delivery.delivered t1"))
        download.state = nil
        bench.recorder.updated(downloads: [download])
        #expect(
            bench.app.problems.contains(
                .notRecorded("a download in an unknown state", product: nil)))
        #expect(bench.events.last == "delivery.download t1 birds-1 failed")
    }

    @Test func `no downloads means no hosted content`() throws {
        let bench = try Bench()
        bench.listHosted("birds")
        bench.show(bench.purchase("birds", "t1"))
        #expect(bench.events.suffix(4) == ["queue.purchased t1"] + TestLog.given("t1"))
    }

    @Test func `the user pauses, resumes and cancels`() throws {
        let bench = try Bench()
        let purchase = bench.purchase("birds", "t1")
        let download = TestDownload("birds-1", of: purchase)
        for control in DownloadControl.allCases { bench.recorder.control([download], control) }
        #expect(
            bench.queue.calls.suffix(4) == [
                "start birds-1", "pause birds-1", "resume birds-1", "cancel birds-1",
            ])
    }
}
