import PurchaseEvents
import TestSupport
import Testing

@testable import PurchaseProjections

/// An app and its store, launched again after each crash, over one log.
struct Story {
    let files = MemoryFiles()
    let store = FakeStore()
    private(set) var shop: Shop?

    init() throws { try LogSamples.create(in: files).close() }

    /// Launches the app: the log is opened again, and the queue presents what isn't finished.
    mutating func launch() throws {
        shop?.ledger.close()
        let ledger = try LedgerSamples.open(in: files)
        let store = store
        let shop = Shop(
            ledger: ledger, queue: store, me: LedgerSamples.me, clock: { try store.tick() })
        self.shop = shop
        try shop.perform(.launch)
        for fact in LedgerSamples.catalogue {
            try ledger.record(fact, by: shop.me, now: store.tick())
        }
        try readLetters()
        try shop.hear(store.observe())
    }

    /// Records what the app's server received; a repeated notification is recorded once.
    func readLetters() throws {
        guard let shop else { return }
        for (id, fact) in store.letters {
            try shop.ledger.record(fact, id: id, now: store.tick())
        }
        store.forgetLetters()
        try shop.hear([])
    }

    /// Plays a part of the story; launches the app again after a crash.
    mutating func tell(_ part: (Shop, FakeStore) throws -> Void) throws {
        do {
            guard let shop else { throw Crash() }
            try part(shop, store)
        } catch is Crash {
            shop?.ledger.close()
            shop = nil
            try relaunch()
        }
    }

    /// What the store does while the app isn't running, and the next launch.
    mutating func tellInTheTunnel(_ part: (FakeStore) -> Void) throws {
        shop?.ledger.close()
        shop = nil
        part(store)
        try relaunch()
    }

    private mutating func relaunch() throws {
        do { try launch() } catch is Crash { try launch() }
    }
}

/// The worked example: an app's observer, a queue, and everything that comes between.
struct LedgerStoryTests {
    /// A consumable, hosted content, a purchase in the tunnel, Ask to Buy, a failed payment, a
    /// restore with a selection, a refund before delivery and one after.
    private func tell(crashingAfter steps: Int?) throws -> Story {
        var story = try Story()
        story.store.stepsToCrash = steps
        try story.tellInTheTunnel { _ in }
        try story.tell { shop, store in
            try shop.buy("coins", "p1")
            try shop.hear(store.approve("p1", "t1"))
        }
        try story.tell { shop, store in
            try shop.buy("level", "p2")
            try shop.hear([.queuePurchasing(payment: "p2")])
        }
        try story.tellInTheTunnel { store in _ = store.approve("p2", "t2") }
        try story.tell { shop, store in
            try shop.buy("theme", "p3")
            try shop.hear(store.delay("p3"))
        }
        try story.tellInTheTunnel { _ in }
        try story.tell { shop, store in try shop.hear(store.approve("p3", "t3")) }
        try story.tell { shop, store in
            try shop.buy("coins", "p4")
            try shop.hear(store.fail("p4"))
        }
        try story.tell { shop, store in
            try shop.perform(.restore(by: .user))
            try shop.perform(.select("theme"))
            try shop.hear(store.restore("t5", of: "t2", "level"))
            try shop.hear(store.restore("t6", of: "t3", "theme"))
            try shop.hear([.restoreCompleted])
        }
        try story.tell { shop, store in try shop.buy("coins", "p7") }
        try story.tellInTheTunnel { store in
            if !store.approve("p7", "t7").isEmpty { store.refund("t7") }
        }
        try story.tellInTheTunnel { store in
            if store.made.contains("t3") { store.refund("t3") }
        }
        try story.tellInTheTunnel { _ in }
        return story
    }

    @Test func `an app that does its pending tasks completes each purchase`() throws {
        let story = try tell(crashingAfter: nil)
        let shop = try #require(story.shop)
        #expect(try shop.ledger.pending() == [])
        #expect(story.store.queue.isEmpty)
        let delivered = try LedgerSamples.count(.deliveryDelivered, in: story.files)
        #expect(delivered == ["t1": 1, "t2": 1, "t3": 1, "t6": 1])
        // The latest grant of the theme is its restored transaction.
        #expect(try LedgerSamples.count(.deliveryWithdrawn, in: story.files) == ["t6": 1])
        let account = LedgerSamples.me.account
        let has = try shop.ledger.entitlements(account: account, asOf: story.store.now)
        #expect(has.filter(\.isActive).compactMap(\.product) == ["coins", "level"])
        #expect(has.first { $0.product == "coins" }?.quantity == 1)
        try LedgerSamples.expectNoError(in: story.files)
    }

    @Test func `a crash between any two steps costs nobody anything`() throws {
        let steps = try tell(crashingAfter: nil).store.steps
        #expect(steps > 80)
        for step in stride(from: 0, to: steps, by: Effort.of(whole: 1, part: 3)) {
            let story = try tell(crashingAfter: step)
            let shop = try #require(story.shop)
            let pending = try shop.ledger.pending()
            #expect(pending.allSatisfy { $0.next == .wait }, "crash after \(step): \(pending)")
            #expect(
                story.store.queue.allSatisfy { $0.key.transaction == nil }, "crash after \(step)")
            let delivered = try LedgerSamples.count(.deliveryDelivered, in: story.files)
            let purchased = try LedgerSamples.count(.queuePurchased, in: story.files)
            for id in purchased.keys where id != "t7" {
                #expect(delivered[id] == 1, "\(id), crash after \(step)")
            }
            try LedgerSamples.expectNoError(in: story.files, "crash after \(step)")
        }
    }

    @Test func `the state is the same when the log is opened again`() throws {
        var story = try tell(crashingAfter: 40)
        let shop = try #require(story.shop)
        let (state, rows) = (shop.ledger.state, try shop.ledger.entitlements())
        shop.ledger.close()
        let again = try LedgerSamples.open(in: story.files)
        #expect(again.state == state)
        #expect(try again.entitlements() == rows)
        again.close()
        try story.launch()
        #expect(story.shop?.ledger.phase(of: "t1" as TransactionID<Written>) == .finished)
    }
}
