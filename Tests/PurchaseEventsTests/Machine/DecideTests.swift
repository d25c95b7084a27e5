import PurchaseEvents
import Testing

struct DecideTests {
    private let finish = Command.finish(.transaction("t1"))

    private func history(_ facts: Fact<Written>...) -> History {
        EvolveTests.state(after: facts)
    }

    @Test func `a purchase is delivered, persisted and finished`() throws {
        var history = history(.appLaunched, .queueObserved, Say.purchased("t1"))
        try history.perform(.deliver("t1"), .persist("t1", in: .server), finish)
        #expect(history.state.phase(of: TransactionID<Written>("t1")) == .finished)
    }

    @Test func `a consumable is delivered in parts up to its quantity`() throws {
        var history = history(Say.purchased("t1", quantity: 3))
        try history.perform(.deliver("t1", quantity: 1), .persist("t1", in: .appState))
        #expect(history.refusals(of: finish) == [.deliveredInPart])
        try history.perform(.deliver("t1"), finish)
        #expect(history.refusals(of: .deliver("t1")) == [.afterFinish, .deliveredAlready])
    }

    @Test func `a hosted purchase waits for its downloads, which the user may cancel`() throws {
        var history = history(Say.purchased("t1"))
        try history.perform(
            .download(Say.download("t1", .active)), .download(Say.download("t1", .paused)),
            .download(Say.download("t1", .active)), .download(Say.download("t1", .failed)),
            .deliver("t1"), .persist("t1", in: .receipt))
        #expect(history.refusals(of: finish) == [.downloading])
        #expect(
            history.refusals(of: .download(Say.download("t1", .paused))) == [.downloadEnded])
        try history.perform(.download(Say.download("t1", .cancelled)), finish)
    }

    @Test func `a refunded purchase doesn't wait for downloads`() throws {
        var history = history(Say.purchased("t1"))
        try history.perform(.download(Say.download("t1", .active)))
        #expect(history.refusals(of: finish) == [.downloading, .undelivered, .unpersisted])
        history.happens(Say.refunded("t1"))
        try history.perform(finish)
    }

    @Test func `a download left open at a finish is waited for when the entry returns`() throws {
        var history = History()
        history.session.environment = .sandbox
        history.happens(Say.purchased("t1"))
        try history.perform(.download(Say.download("t1", .active)))
        history.session.environment = .production
        try history.perform(finish)
        history.session.environment = .sandbox
        history.happens(.appLaunched, .queueObserved, Say.purchased("t1"))
        #expect(history.refusals(of: finish) == [.downloading, .undelivered, .unpersisted])
        history.session.environment = .production
        try history.perform(finish)
    }

    @Test func `the end that the app sets must be after the purchase`() {
        let history = history(Say.purchased("t1", "pass", at: 5))
        for (hour, refusals) in [(4, [Refusal.endsTooSoon]), (5, [.endsTooSoon]), (6, [])] {
            #expect(
                history.refusals(of: .deliver("t1", until: History.hour(hour))) == refusals)
        }
        // A restored purchase is older than its date (G8.8).
        let restored = self.history(Say.restored("t2", of: "t1"))
        #expect(restored.refusals(of: .deliver("t2", until: History.hour(0))) == [])
    }

    @Test func `only a refund ends a consumable`() {
        var history = history(
            Say.listed("coins", .consumable), Say.purchased("t1"),
            .deliveryDelivered(.init(transaction: "t1", until: History.hour(1))))
        let withdraw = Command.withdraw("t1", because: .expired)
        #expect(history.refusals(of: withdraw) == [.stillOwed])
        history.happens(Say.refunded("t1"))
        #expect(history.refusals(of: withdraw) == [])
    }

    @Test func `the app sets an end only for non-renewing subscriptions`() {
        let until = DeliveryDelivered<Written>(transaction: "t1", until: History.hour(1))
        for (kind, refusals) in [
            (ProductKind.nonConsumable, [Refusal.stillOwed]), (.nonRenewing, []),
        ] {
            let history = history(
                Say.listed("pass", kind), Say.purchased("t1", "pass"), .deliveryDelivered(until))
            #expect(history.refusals(of: .withdraw("t1", because: .expired)) == refusals)
        }
        // A purchase with an end from the store is auto-renewable if its kind is unknown.
        let renewed = history(Say.purchased("t1", "news", until: 9), .deliveryDelivered(until))
        #expect(renewed.refusals(of: .withdraw("t1", because: .expired)) == [.stillOwed])
    }

    @Test func `an entry that returns after its finish is finished on the same device`() throws {
        var history = History()
        history.session = Session(device: "phone")
        history.happens(Say.purchased("t1"))
        try history.perform(.deliver("t1"), .persist("t1", in: .server), finish)
        history.session = Session(device: "pad")
        history.happens(Say.purchased("t1"))
        history.session = Session(device: "phone")
        #expect(history.refusals(of: finish) == [.finishedAlready])
        history.session = Session(device: "pad")
        try history.perform(finish)
    }

    @Test func `a purchase of unknown kind with an end has a quantity of one`() {
        let history = history(Say.purchased("t1", "news", at: 0, until: 99))
        #expect(history.refusals(of: .deliver("t1", quantity: 2)) == [.quantityNotSane])
        #expect(history.refusals(of: .deliver("t1", quantity: 1)) == [])
    }

    @Test
    func `a renewal is delivered to the payer of its subscription, not to the queue's account`() {
        var history = history()
        history.happens(Say.requested("p1", "news"), as: "ana")
        history.happens(Say.purchased("n0", "news", payment: "p1", until: 9), as: "ben")
        history.happens(Say.purchased("n1", "news", original: "n0", at: 9, until: 18), as: "ben")
        func refusals(_ account: AccountID<Written>) -> [Refusal] {
            history.session.account = account
            return history.refusals(of: .deliver("n1"))
        }
        #expect(refusals("ana") == [])
        #expect(refusals("ben") == [.otherAccount])
        // The account that resubscribed owns the renewals too.
        history.happens(Say.requested("p2", "news"), as: "ben")
        history.happens(
            Say.purchased("n2", "news", payment: "p2", original: "n0", at: 18, until: 27),
            as: "ben")
        #expect(refusals("ana") == [])
        #expect(refusals("ben") == [])
        #expect(refusals("cyd") == [.otherAccount])
        history.happens(.accountLinked(.init(original: "n0")), as: "cyd")
        #expect(refusals("cyd") == [])
    }

    @Test func `after a refund before the delivery, only a finish is left`() throws {
        var history = history(Say.purchased("t1"), Say.refunded("t1"))
        #expect(history.refusals(of: .deliver("t1")) == [.refunded])
        try history.perform(finish)
    }

    @Test func `a purchase is delivered again after its refund is reversed`() throws {
        var history = history(Say.purchased("t1"))
        try history.perform(.deliver("t1"), .persist("t1", in: .server), finish)
        history.happens(Say.refunded("t1"))
        try history.perform(.withdraw("t1", because: .refunded))
        #expect(history.refusals(of: .deliver("t1")) == [.refunded])
        history.happens(.cancellationReversed(transaction: "t1"))
        try history.perform(.deliver("t1"))
        #expect(history.refusals(of: .deliver("t1")) == [.afterFinish, .deliveredAlready])
    }

    @Test func `a partial delivery is withdrawn before a refunded purchase is finished`() throws {
        var history = history(Say.purchased("t1", quantity: 3), Say.delivered("t1", quantity: 1))
        history.happens(Say.refunded("t1"))
        #expect(history.refusals(of: finish) == [.deliveredInPart])
        try history.perform(.withdraw("t1", because: .refunded), finish)
    }

    @Test func `what a refund of a part of a consumable leaves is delivered`() throws {
        var history = history(Say.purchased("t1", quantity: 9))
        history.happens(Say.refunded("t1", percent: 44_000))
        #expect(history.refusals(of: finish) == [.undelivered, .unpersisted])
        #expect(history.refusals(of: .deliver("t1", quantity: 6)) == [.tooMany])
        try history.perform(.deliver("t1", quantity: 4))
        #expect(history.refusals(of: finish) == [.deliveredInPart, .unpersisted])
        try history.perform(.deliver("t1", quantity: 1), .persist("t1", in: .server))
        #expect(history.refusals(of: .deliver("t1", quantity: 1)) == [.deliveredAlready])
        try history.perform(finish)
    }

    @Test func `a withdrawal settles a refund of a part`() throws {
        var history = history(
            Say.purchased("t1", quantity: 9), Say.delivered("t1", quantity: 9))
        history.happens(Say.refunded("t1", percent: 44_000))
        try history.perform(.withdraw("t1", because: .refunded), finish)
    }

    @Test func `a refund doesn't end what another purchase still grants`() throws {
        var history = history(
            Say.listed("level", .nonConsumable), Say.purchased("t1", "level"),
            Say.purchased("t2", "level"), Say.delivered("t1"), Say.refunded("t1"))
        #expect(history.refusals(of: .withdraw("t1", because: .refunded)) == [.stillOwed])
        history.happens(Say.refunded("t2"))
        try history.perform(.withdraw("t1", because: .refunded))
    }

    @Test func `a test purchase is finished in production but never delivered there`() throws {
        var history = History()
        history.session.environment = .sandbox
        history.happens(Say.purchased("t1"))
        history.session.environment = .production
        #expect(history.refusals(of: .deliver("t1")) == [.otherEnvironment])
        try history.perform(finish)
    }

    @Test func `a session without an environment uses the log's`() {
        var history = History()
        history.session.environment = .sandbox
        history.happens(.logOpened(.init(schema: 1)))
        history.session.environment = nil
        history.happens(Say.purchased("t1"))
        #expect(history.refusals(of: .deliver("t1")) == [])
    }

    @Test func `a finished purchase that is presented again is only finished`() throws {
        var history = history(.appLaunched, .queueObserved, Say.purchased("t1"))
        try history.perform(.deliver("t1"), .persist("t1", in: .server), finish)
        history.happens(Say.purchased("t1"))
        #expect(history.refusals(of: finish) == [.finishedAlready])
        try history.perform(.launch)
        history.happens(Say.purchased("t1"))
        #expect(history.refusals(of: .deliver("t1")) == [.afterFinish, .deliveredAlready])
        try history.perform(finish)
        #expect(history.refusals(of: finish) == [.finishedAlready])
    }

    @Test func `a restriction ends with the next launch`() throws {
        var history = history(.appLaunched, .queueObserved, .paymentRestricted)
        let request = Command.request(.init(payment: "p1", product: "coins", quantity: 10))
        #expect(history.refusals(of: request) == [.restricted])
        history.happens(.paymentAllowed)
        try history.perform(request)
        history.happens(.paymentRestricted)
        try history.perform(.launch, request)
    }

    @Test func `a receipt row states the kind of an unlisted product`() {
        var history = history(
            .receiptListed(
                .init(
                    transaction: "t1", product: "level", kind: .nonConsumable,
                    purchasedAt: History.hour(0))))
        let two = Command.request(.init(payment: "p1", product: "level", quantity: 2))
        #expect(history.refusals(of: two) == [.quantityNotSane])
        history.happens(Say.listed("level", .consumable))
        #expect(history.refusals(of: two) == [])
    }

    @Test func `units of several purchases may be consumed at once`() throws {
        var history = history(Say.listed("coins", .consumable))
        for id: TransactionID<Written> in ["t1", "t2"] {
            history.happens(Say.purchased(id, "coins", quantity: 10))
            try history.perform(.persist(id, in: .appState), .deliver(id))
        }
        #expect(history.refusals(of: .consume("coins", quantity: 21)) == [.nothingLeft])
        #expect(history.refusals(of: .consume("coins", quantity: 0)) == [.quantityNotSane])
        try history.perform(.consume("coins", quantity: 20))
    }

    @Test func `delivered units that weren't withdrawn may be consumed`() throws {
        var history = history(Say.purchased("t1", quantity: 3), Say.delivered("t1"))
        try history.perform(.consume("coins", quantity: 2), .consume("coins"))
        #expect(history.refusals(of: .consume("coins")) == [.nothingLeft])
    }

    @Test func `every decided fact is an app's act and is applied`() {
        let commands: [Command] = [
            .launch, .request(.init(payment: "p1", product: "coins")), .persist("t1", in: .server),
            .download(Say.download("t1", .active)), .install("t1", in: .caches), .deliver("t1"),
            .finish(.payment("p1")), .withdraw("t1", because: .other), .restore(by: .user),
            .select("coins"), .open("may"), .consume("coins"),
        ]
        let types = commands.flatMap(\.facts).map(\.type)
        #expect(EventTypes.all.types.filter(types.contains) == Command.acts.types)
    }
}
