import PurchaseEvents
import PurchaseProjections
import PurchaseRecorder
import PurchaseSimulation
import TestSigning
import Testing

/// The callbacks other than those of transactions, and their events (G2, G4.5, G4.6, G8).
struct CallbackTests {
    // MARK: Products

    @Test func `valid and invalid products are listed with their requests`() throws {
        let bench = try Bench()
        bench.recorder.requestProducts(["coins", "news", "lost"])
        #expect(bench.events == [])
        #expect(bench.queue.calls.last == "products coins,news,lost")
        bench.recorder.received(
            [
                TestProduct(observedProduct: "coins"),
                TestProduct(
                    observedProduct: "news", observedGroup: "press", observedPeriod: "P1M",
                    observedIsShareable: true),
            ], invalid: ["lost"])
        #expect(
            bench.events == [
                "catalog.requested coins", "catalog.listed coins", "catalog.requested news",
                "catalog.listed news", "catalog.requested lost", "catalog.invalid lost",
            ])
        #expect(bench.app.calls == ["store coins,news not lost"])
        #expect(
            bench.log.lines.contains { $0.contains(#""group":"press","period":"P1M","price":990"#) }
        )
        #expect(try bench.log.findings() == [])
    }

    @Test func `a failed request records nothing`() throws {
        let bench = try Bench()
        bench.recorder.requestProducts(["coins"])
        let failure = StoreFailure(domain: "NSURLErrorDomain", code: -1_009)
        bench.recorder.requestFailed(.products(["coins"]), failure)
        #expect(bench.events == [])
        #expect(bench.app.problems == [.requestFailed(.products(["coins"]), failure)])
    }

    @Test func `a request that fails leaves the others in progress`() throws {
        let bench = try Bench()
        bench.recorder.requestProducts(["coins"])
        bench.recorder.requestProducts(["lost"])
        bench.recorder.refreshReceipt()
        bench.recorder.requestFailed(.receipt, nil)
        bench.recorder.requestFailed(.products(["coins"]), nil)
        bench.recorder.received([], invalid: ["lost", "coins"])
        #expect(
            bench.events == [
                "catalog.requested lost", "catalog.invalid lost", "catalog.invalid coins",
            ])
    }

    @Test func `a product of unknown kind is told to the app`() throws {
        let bench = try Bench()
        bench.recorder.received([TestProduct(observedProduct: "new")], invalid: [])
        #expect(bench.events == [])
        #expect(
            bench.app.problems == [.notRecorded("a product of unknown kind", product: "new")])
    }

    @Test func `periods are ISO 8601 durations`() {
        let durations = ObservedPeriodUnit.allCases.map { $0.duration(3) }
        #expect(durations == ["P3D", "P3W", "P3M", "P3Y"])
    }

    // MARK: Payments

    @Test func `a payment is priced by the store's listing`() throws {
        let bench = try Bench()
        bench.recorder.requestProducts(["coins"])
        bench.recorder.received([TestProduct(observedProduct: "coins")], invalid: [])
        try bench.buy("coins", quantity: 3)
        let priced =
            #""payment":"p1","product":"coins","quantity":3,"price":2970,"currency":"EUR""#
        #expect(bench.log.lines.last?.contains(priced) == true)
    }

    @Test func `nobody pays who may not, and both are recorded`() throws {
        let bench = try Bench()
        bench.queue.mayPay = false
        #expect(throws: RecorderProblem.ledger(.refused(.restricted))) {
            try bench.recorder.buy(PaymentOrder(product: "coins"))
        }
        bench.queue.mayPay = true
        try bench.recorder.buy(PaymentOrder(product: "coins"))
        #expect(
            bench.events == ["payment.restricted", "payment.allowed", "payment.requested p2 coins"]
        )
        #expect(bench.queue.calls == ["begin", "add coins"])
    }

    @Test func `a quantity that no payment has is refused, and nothing is added`() throws {
        let bench = try Bench()
        #expect(throws: RecorderProblem.ledger(.refused(.quantityNotSane))) {
            try bench.recorder.buy(PaymentOrder(product: "coins", quantity: 11))
        }
        #expect(bench.queue.calls == ["begin"])
        #expect(bench.log.files[TestLog.notesPath] == nil)
    }

    @Test func `a payment begun in the App Store has a key and no request`() throws {
        let bench = try Bench()
        #expect(bench.recorder.shouldAdd(PaymentOrder(product: "coins")))
        bench.app.mayPay = false
        #expect(!bench.recorder.shouldAdd(PaymentOrder(product: "coins")))
        let transaction = TestTransaction(.purchasing, "coins")
        bench.show(transaction)
        transaction.purchase("t1", at: bench.clock.now)
        bench.show(transaction)
        #expect(bench.events.prefix(2) == ["queue.purchasing p1", "queue.purchased t1 p1"])
        #expect(try bench.log.findings() == [])
    }

    // MARK: The end of observing

    @Test func `the end of observing is recorded`() throws {
        let bench = try Bench()
        try bench.recorder.endObserving()
        #expect(bench.events == ["queue.unobserved"])
        #expect(bench.queue.calls == ["begin", "end"])
    }

    // MARK: Restoring

    @Test func `a failed restore is recorded with its error`() throws {
        let bench = try Bench()
        try bench.restore()
        bench.recorder.restoreFailed(StoreFailure(domain: StoreFailure.storeDomain, code: 2))
        #expect(bench.events == ["restore.requested", "restore.failed cancelled"])
        #expect(bench.queue.calls.last == "restore \(Bench.account)")
        #expect(try bench.log.findings() == [])
    }

    @Test func `a restore that the app's end cut off has failed`() throws {
        let bench = try Bench()
        try bench.restore()
        try bench.relaunch()
        #expect(bench.events.last == "restore.failed appEnded")
        #expect(try bench.log.findings() == [])
    }

    @Test func `a restore that begins before the last one ended ends that one`() throws {
        let bench = try Bench()
        try bench.restore()
        try bench.restore()
        bench.recorder.restoreCompleted()
        #expect(
            bench.events == [
                "restore.requested", "restore.failed restarted", "restore.requested",
                "restore.completed",
            ])
        #expect(try bench.log.findings() == [])
    }

    @Test func `of restored products with hosted content the user chooses`() throws {
        let bench = try Bench()
        bench.listHosted("birds", "theme")
        try bench.restore()
        let restored = ["birds", "theme"].enumerated().map { number, product in
            let one = TestTransaction(
                .restored, product, id: "t\(number + 3)", at: bench.clock.now,
                original: bench.purchase(product, "t\(number + 1)"))
            one.downloads = [TestDownload("\(product)-1", of: one)]
            return one
        }
        bench.show(restored[0], restored[1])
        bench.app.chosen = ["theme"]
        bench.recorder.restoreCompleted()
        #expect(bench.app.calls.contains("choose birds,theme"))
        #expect(bench.events.contains("restore.selected theme"))
        #expect(bench.events.contains("queue.finished t3"))
        #expect(bench.queue.calls.last == "start theme-1")
        restored[1].downloads[0].state = .finished
        bench.recorder.updated(downloads: restored[1].downloads)
        #expect(bench.events.last == "queue.finished t4")
        #expect(try bench.log.findings() == [])
    }

    @Test func `a restore that nobody asked for, and an error without a reason`() throws {
        let bench = try Bench()
        bench.recorder.restoreCompleted()
        bench.recorder.restoreFailed(nil)
        #expect(bench.events == ["restore.completed", "restore.failed unknown"])
        #expect(bench.app.problems == [])
    }

    @Test func `restoring again makes new transactions, each recorded and finished`() throws {
        let bench = try Bench()
        let original = bench.purchase("theme", "t1")
        bench.show(original)
        for name in ["t2", "t3"] {
            try bench.restore()
            bench.show(
                TestTransaction(
                    .restored, "theme", id: name, at: bench.clock.now, original: original))
            bench.recorder.restoreCompleted()
        }
        #expect(
            bench.events.filter { $0.hasPrefix("queue") } == [
                "queue.purchased t1", "queue.finished t1", "queue.restored t2",
                "queue.finished t2", "queue.restored t3", "queue.finished t3",
            ])
        #expect(try bench.log.findings() == [])
    }

    @Test func `what is owned and bought again is an ordinary purchase`() throws {
        let bench = try Bench()
        bench.show(bench.purchase("theme", "t1"))
        try bench.buy("theme")
        let again = bench.purchase("theme", "t2")
        again.observedOriginal = bench.purchase("theme", "t1")
        bench.show(again)
        #expect(bench.events.suffix(4) == ["queue.purchased t2 p1"] + TestLog.given("t2"))
    }

    // MARK: Receipt

    @Test func `a refreshed receipt is what an import of it states`() throws {
        let bench = try Bench()
        bench.recorder.refreshReceipt()
        #expect(bench.queue.calls.last == "receipt")
        bench.recorder.refreshedReceipt(Array("not a receipt".utf8))
        #expect(bench.events == [])
        #expect(bench.app.problems.count == 1)
        bench.recorder.revoked(["theme"])
        #expect(bench.queue.calls.suffix(2) == ["receipt", "receipt"])
    }

    @Test func `a failed refresh of the receipt records nothing`() throws {
        let bench = try Bench()
        bench.recorder.refreshReceipt()
        bench.recorder.requestFailed(.receipt, nil)
        #expect(bench.events == [])
        #expect(bench.app.problems == [.requestFailed(.receipt, nil)])
    }

    @Test func `a refreshed receipt lists its purchases and what was refunded`() throws {
        let bench = try Bench()
        func text(_ text: String) -> [UInt8] { DERWriter.element(0x0C, Array(text.utf8)) }
        func date(_ text: String) -> [UInt8] { DERWriter.element(0x16, Array(text.utf8)) }
        let purchase = TestReceipt.set([
            (1701, DERWriter.integer(1)), (1702, text("theme")), (1703, text("t1")),
            (1704, date("2026-01-01T00:00:00Z")), (1705, text("t1")),
            (1706, date("2026-01-01T00:00:00Z")), (1707, DERWriter.integer(0)),
            (1712, date("2026-01-02T00:00:00Z")),
        ])
        let receipt = TestReceipt(attributes: [
            (0, text("Production")), (2, text("com.example.app")), (3, text("1")),
            (12, date("2026-01-03T00:00:00Z")), (17, purchase),
        ])
        bench.recorder.refreshedReceipt(receipt.bytes)
        #expect(bench.app.problems == [])
        #expect(
            bench.events == [
                "receipt.refreshed", "receipt.listed t1", "cancellation.refunded t1",
            ])
        // The same receipt again changes nothing (G8.2).
        bench.recorder.refreshedReceipt(receipt.bytes)
        #expect(bench.events.count == 3)
        #expect(try bench.log.findings() == [])
    }
}
