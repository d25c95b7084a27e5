import PurchaseEvents
import PurchaseProjections
import PurchaseRecorder
import TestSupport
import Testing

/// A payment gets its key before it is added, and keeps it between launches (own.md, 4).
struct KeyTests {
    @Test func `a key is on the disk before the queue hears of the payment`() throws {
        let bench = try Bench()
        try bench.buy("coins")
        let notes = bench.log.files.text(TestLog.notesPath)
        #expect(notes?.contains(#""payment":"p1","product":"coins""#) == true)
        #expect(!bench.log.files.paths.contains("\(TestLog.notesPath).new"))
    }

    @Test func `a payment that can't be noted isn't added`() throws {
        let bench = try Bench()
        bench.log.files.stop(afterBytes: 0)
        #expect(throws: RecorderProblem.self) {
            try bench.recorder.buy(PaymentOrder(product: "coins"))
        }
        #expect(bench.queue.calls == ["begin"])
    }

    @Test func `a payment that the log couldn't take is recorded with its first answer`() throws {
        let bench = try Bench()
        // There is room for the notes, but not for the log's line.
        bench.log.files.stop(afterBytes: 190)
        try bench.buy("coins")
        #expect(bench.queue.calls.last == "add coins")
        #expect(bench.events == [])
        try bench.relaunch()
        bench.show(bench.purchase("coins", "t1"))
        #expect(bench.events.contains("payment.requested p1 coins"))
        #expect(bench.events.contains("queue.purchased t1 p1"))
        #expect(try bench.log.findings() == [])
    }

    @Test func `the key outlives the process in each state`() throws {
        for state in [ObservedTransactionState.purchasing, .deferred, .failed, .purchased] {
            let bench = try Bench()
            bench.app.failing = ["deliver"]
            let transaction = try bench.buying("coins")
            switch state {
            case .purchased: transaction.purchase("t1", at: bench.clock.now)
            case .failed: break
            case .purchasing, .deferred, .restored: transaction.observedState = state
            }
            bench.show(transaction)
            try bench.relaunch()
            if state == .failed { transaction.fail(7) }
            bench.app.failing = []
            bench.show(transaction.again)
            #expect(
                bench.events.filter { $0.hasPrefix("queue") }.allSatisfy {
                    $0.contains("p1") || $0.contains("t1") || $0 == "queue.observed"
                })
            #expect(try bench.log.findings() == [])
        }
    }

    @Test func `two equal payments have two keys, and each its transaction`() throws {
        let bench = try Bench()
        bench.app.failing = ["deliver"]
        for _ in 0..<2 {
            try bench.buy("coins")
        }
        let both = (0..<2).map { _ in TestTransaction(.purchasing, "coins") }
        bench.show(both[0], both[1])
        both[1].purchase("t2", at: bench.clock.now)
        bench.show(both[1])
        try bench.relaunch()
        both[0].purchase("t1", at: bench.clock.now)
        bench.app.failing = []
        bench.show(both[1].again, both[0].again)
        #expect(bench.events.filter { $0.contains("queue.purchasing") }.count == 2)
        #expect(bench.events.contains("queue.purchased t2 p2"))
        #expect(bench.events.contains("queue.purchased t1 p1"))
        #expect(try bench.log.findings() == [])
    }

    @Test func `StoreKit may leave out the account that the payment carried`() throws {
        let bench = try Bench()
        try bench.buy("coins")
        bench.show(bench.purchase("coins", "t1", account: nil))
        #expect(bench.events.contains("queue.purchased t1 p1"))
        #expect(bench.log.lines.last?.contains(#""account":"\#(Bench.account)""#) == true)
    }

    @Test func `a finish that a crash cut off is recorded if the queue lacks the entry`() throws {
        let bench = try Bench()
        bench.queue.onFinish = { bench.log.files.stop(afterBytes: 0) }
        let first = bench.purchase("coins", "t1")
        bench.show(first)
        #expect(bench.queue.calls.last == "finish t1")
        #expect(bench.events.last == "delivery.persisted t1")
        try bench.relaunch()
        bench.show(bench.purchase("theme", "t2"))
        let finishes = bench.events.filter { $0.hasPrefix("queue.finished") }
        #expect(finishes == ["queue.finished t1", "queue.finished t2"])
        #expect(!bench.queue.calls.contains("finish t1"))
        #expect(try bench.log.findings() == [])
    }

    @Test func `a finish that the queue never heard of is done again`() throws {
        let bench = try Bench()
        bench.queue.onFinish = { bench.log.files.stop(afterBytes: 0) }
        let first = bench.purchase("coins", "t1")
        bench.show(first)
        try bench.relaunch()
        bench.show(first.again)
        #expect(bench.events.filter { $0.hasPrefix("queue.finished") } == ["queue.finished t1"])
        #expect(bench.queue.calls.last == "finish t1")
        #expect(bench.events.filter { $0.hasPrefix("delivery.delivered") }.count == 1)
        #expect(try bench.log.findings() == [])
    }

    @Test func `after a power loss the notes are the old ones or the new ones`() throws {
        var dice = Dice(seed: 1)
        for kind in CrashKind.allCases {
            for bytes in 0..<200 {
                let files = MemoryFiles()
                let file = ReplacedFile(at: "shop/notes", operations: files)
                try file.replace(with: Array("old".utf8))
                files.stop(afterBytes: bytes % 50)
                try? file.replace(with: Array("the new notes".utf8))
                let image = files.image.after(kind, &dice)
                let after = ReplacedFile(at: "shop/notes", operations: MemoryFiles(image))
                let text = try after.read().map { String(decoding: $0, as: UTF8.self) }
                #expect(text == "old" || text == "the new notes", "\(kind) \(bytes)")
            }
        }
    }
}
