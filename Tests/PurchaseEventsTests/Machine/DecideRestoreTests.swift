import PurchaseEvents
import Testing

struct DecideRestoreTests {
    private let finish = Command.finish(.transaction("t2"))

    private func history(_ facts: Fact<Written>...) -> History {
        EvolveTests.state(after: [Say.listed("level", .nonConsumable)] + facts)
    }

    @Test func `a restored purchase is delivered and persisted like the original`() throws {
        var history = history(Say.restored("t2", of: "t1"))
        #expect(history.refusals(of: finish) == [.undelivered, .unpersisted])
        try history.perform(.deliver("t2"), .persist("t2", in: .userDefaults), finish)
    }

    @Test func `a purchase provided by the receipt may be finished at once`() throws {
        var listed = history(Say.row("t1", "level"), Say.restored("t2", of: "t1"))
        try listed.perform(finish)
        var persisted = history(
            Say.restored("t2", of: "t1"),
            .deliveryPersisted(.init(transaction: "t1", store: .receipt)))
        try persisted.perform(finish)
        let hosted = history(
            Say.listed("level", .nonConsumable, hosted: true), Say.row("t1", "level"),
            Say.restored("t2", of: "t1"))
        #expect(hosted.refusals(of: finish) == [.undelivered, .unpersisted])
    }

    @Test func `restoring a purchase doesn't make an account its owner`() {
        var history = history()
        history.happens(Say.restored("t2", of: "t1"), as: "bob")
        #expect(history.refusals(of: .deliver("t2")) == [])
        history.happens(Say.row("t1", "level"), as: "alice")
        #expect(history.refusals(of: .deliver("t2")) == [.otherOwner])
    }

    @Test func `another account's restore doesn't withdraw the owner's access`() {
        var history = history()
        history.session = Session(account: "bob", environment: .sandbox)
        history.happens(Say.restored("t2", of: "t1"))
        history.session = Session(account: "alice")
        history.happens(Say.purchased("t1", "level"))
        history.session = Session()
        #expect(history.refusals(of: .withdraw("t2", because: .refunded)) == [.stillOwed])
    }

    @Test func `a product that the user left out may be finished at once`() throws {
        var history = history(Say.restored("t2", of: "t1"))
        try history.perform(.restore(by: .user), .select("level"))
        #expect(history.refusals(of: finish) == [.undelivered, .unpersisted])
        try history.perform(.restore(by: .user), .select("song"), finish)
    }

    @Test func `a restored purchase is refunded with its original`() throws {
        var history = history(
            Say.purchased("t1", "level"), Say.restored("t2", of: "t1"), Say.refunded("t1"))
        #expect(history.refusals(of: .deliver("t2")) == [.refunded])
        try history.perform(finish)
    }

    @Test func `a restore that a receipt lists isn't refunded with its original`() throws {
        var history = history(
            Say.purchased("t1", "level"), Say.restored("t2", of: "t1"), Say.refunded("t1"))
        #expect(history.refusals(of: .deliver("t2")) == [.refunded])
        history.happens(Say.row("t2", "level", original: "t1"))
        try history.perform(.deliver("t2"))
        #expect(history.refusals(of: .withdraw("t2", because: .refunded)) == [.stillOwed])
        history.happens(Say.refunded("t2"))
        try history.perform(.withdraw("t2", because: .refunded))
    }

    @Test func `a restored period isn't refunded with the first period`() {
        var history = History()
        history.happens(
            Say.purchased("t1", "news", at: 0, until: 9),
            Say.restored("t2", of: "t1", "news", at: 5, until: 9), Say.refunded("t1"))
        #expect(history.refusals(of: .deliver("t2")) == [])
        #expect(history.refusals(of: finish) == [.undelivered, .unpersisted])
    }

    @Test func `a restored plan whose periods are over may be finished at once`() throws {
        var history = History()
        history.happens(
            Say.purchased("t1", "news", at: 0, until: 3), Say.restored("t2", of: "t1", "news"))
        #expect(history.refusals(of: finish) == [.undelivered, .unpersisted])
        history.happens(Say.restored("t3", of: "t1", "paper"))
        try history.perform(finish)
        #expect(history.refusals(of: .finish(.transaction("t3"))) == [.undelivered, .unpersisted])
    }

    @Test func `another account's purchase must be linked before its delivery`() throws {
        var history = history()
        history.happens(Say.purchased("t1", "level"), as: "alice")
        history.session.account = "bob"
        history.happens(Say.restored("t2", of: "t1"))
        #expect(history.refusals(of: .deliver("t2")) == [.otherOwner])
        history.happens(.accountLinked(.init(original: "t1", from: "alice")))
        try history.perform(.deliver("t2"))
    }

    @Test func `a purchase is delivered to its payer or to the linked account`() throws {
        var history = history()
        history.happens(Say.requested("p1", "level"), as: "alice")
        history.session.account = "bob"
        history.happens(Say.purchased("t1", "level", payment: "p1"))
        #expect(history.refusals(of: .deliver("t1")) == [.otherAccount])
        history.happens(.accountLinked(.init(original: "t1")))
        try history.perform(.deliver("t1"))
    }
}
