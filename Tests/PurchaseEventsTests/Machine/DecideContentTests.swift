import PurchaseEvents
import Testing

struct DecideContentTests {
    private func history(_ facts: Fact<Written>...) -> History {
        EvolveTests.state(after: [Say.listed("news", .autoRenewable)] + facts)
    }

    @Test func `the newest issue at the start and the period's issues stay readable`() {
        let history = history(
            Say.issue("old", at: 0), Say.issue("newest", at: 2), Say.issue("during", at: 4),
            Say.issue("later", at: 6), Say.row("t1", "news", at: 3, until: 5))
        #expect(history.refusals(of: .open("old")) == [.publishedOutsidePeriods])
        #expect(history.refusals(of: .open("newest")) == [])
        #expect(history.refusals(of: .open("during")) == [])
        #expect(history.refusals(of: .open("later")) == [.publishedOutsidePeriods])
    }

    @Test func `undated content is readable during a period and its grace period`() {
        var history = history(Say.row("t1", "news", original: "t1", at: 0, until: 3))
        #expect(history.refusals(of: .open("x")) == [])
        history.happens(.logNoted(text: "an hour passes"))
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
        history.happens(
            .renewalFailed(.init(original: "t1", graceExpiresAt: History.hour(5))))
        #expect(history.refusals(of: .open("x")) == [])
        history.happens(.logNoted(text: "an hour passes"))
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
        history.happens(.renewalExtended(.init(original: "t1", expiresAt: History.hour(9))))
        #expect(history.refusals(of: .open("x")) == [])
    }

    @Test func `an unlisted plan belongs to the group of its subscription`() {
        var history = history(
            .catalogListed(
                .init(product: "monthly", kind: .autoRenewable, group: "magazine")),
            .contentPublished(
                .init(content: "x", group: "magazine", publishedAt: History.hour(4))),
            Say.row("t1", "monthly", original: "t1", at: 0, until: 3))
        #expect(history.refusals(of: .open("x")) == [.publishedOutsidePeriods])
        history.happens(Say.row("t2", "yearly", original: "t1", at: 3, until: 9))
        #expect(history.refusals(of: .open("x")) == [])
    }

    @Test func `a grace period ends where the next period starts`() throws {
        // The renewal failed at 3 with a grace period to 20, another plan started at 4, and now it
        // is 6.
        var history = history(
            Say.listed("gold", .autoRenewable),
            Say.row("t1", "news", original: "t1", at: 0, until: 3), Say.delivered("t1"),
            .renewalFailed(.init(original: "t1", graceExpiresAt: History.hour(20))))
        #expect(history.refusals(of: .withdraw("t1", because: .expired)) == [.stillOwed])
        history.happens(Say.row("t2", "gold", original: "t1", at: 4, until: 40))
        try history.perform(.withdraw("t1", because: .expired))
    }

    @Test func `content of a refunded purchase is closed until the refund is reversed`() {
        var history = history(Say.row("t1", "news", at: 0, until: 9), Say.refunded("t1", at: 1))
        #expect(history.refusals(of: .open("x")) == [.refunded, .notEntitled])
        history.happens(.cancellationReversed(transaction: "t1"))
        #expect(history.refusals(of: .open("x")) == [])
    }

    @Test func `an upgraded period ends when its successor starts`() {
        let history = history(
            Say.row("t1", "news", original: "t1", at: 0, until: 9, cancelledAt: 2, upgraded: true),
            Say.row("t2", "gold", original: "t1", at: 2, until: 9), Say.delivered("t1"),
            Say.issue("x", at: 3, product: "news"), Say.issue("y", at: 3, product: "gold"))
        #expect(history.refusals(of: .open("x")) == [.publishedOutsidePeriods])
        #expect(history.refusals(of: .open("y")) == [])
        #expect(history.refusals(of: .withdraw("t1", because: .upgraded)) == [])
        #expect(history.refusals(of: .withdraw("t2", because: .expired)) == [.stillOwed])
    }

    @Test func `an upgraded period after a refunded one is open until its successor starts`() {
        let history = history(
            Say.row("t1", "news", original: "t1", at: 0, until: 9), Say.refunded("t1", at: 1),
            Say.row("t2", "news", original: "t1", at: 2, until: 9, cancelledAt: 6, upgraded: true),
            Say.row("t3", "gold", original: "t1", at: 6, until: 9),
            Say.issue("x", at: 3, product: "news"))
        #expect(history.refusals(of: .open("x")) == [])
    }

    @Test func `a restored purchase opens nothing for an account that doesn't own it`() {
        var history = history(Say.listed("level", .nonConsumable))
        history.happens(Say.purchased("t1", "level"), as: "alice")
        history.happens(Say.restored("t2", of: "t1"), as: "bob")
        history.session = Session(account: "bob")
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
        history.session = Session(account: "alice")
        #expect(history.refusals(of: .open("x")) == [])
    }

    @Test func `statements dated in the future have no effect yet`() {
        var history = history(
            Say.listed("level", .nonConsumable), Say.purchased("t1", "level", at: 50))
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
        history.happens(Say.delivered("t1"), Say.refunded("t1", at: 60))
        #expect(history.refusals(of: .withdraw("t1", because: .refunded)) == [.stillOwed])
        history.happens(Say.refunded("t1", at: 4))
        #expect(history.refusals(of: .deliver("t1")) == [.refunded])
    }

    @Test func `the account that a cancellation names owns the line`() {
        var history = history(Say.purchased("t1", "news", original: "t1", at: 0, until: 99))
        history.session = Session(account: "bob")
        #expect(history.refusals(of: .open("x")) == [])
        history.happens(.cancellationReversed(transaction: "t1"), as: "alice")
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
    }

    @Test func `a plan that was restored and then upgraded is withdrawn`() throws {
        var history = history(
            Say.row("t1", "news", original: "t1", at: 0, until: 9),
            Say.restored("t3", of: "t1", "news", at: 1, until: 9), Say.delivered("t3"))
        let withdraw = Command.withdraw("t3", because: .upgraded)
        #expect(history.refusals(of: withdraw) == [.stillOwed])
        history.happens(
            Say.row("t1", "news", original: "t1", at: 0, until: 9, cancelledAt: 2, upgraded: true),
            Say.row("t2", "gold", original: "t1", at: 2, until: 9))
        try history.perform(withdraw)
    }

    @Test func `a non-consumable opens undated content for its account and environment`() {
        var history = history(Say.listed("level", .nonConsumable))
        history.happens(Say.purchased("t1", "level"), as: "alice")
        #expect(history.refusals(of: .open("x")) == [])
        history.session = Session(account: "bob")
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
        history.session = Session(account: "alice", environment: .sandbox)
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
    }

    @Test func `a non-renewing purchase opens content until the end that the app set`() throws {
        var history = history(Say.listed("pass", .nonRenewing), Say.purchased("t1", "pass"))
        try history.perform(.deliver("t1", until: History.hour(5)))
        #expect(history.refusals(of: .open("x")) == [])
        #expect(history.refusals(of: .withdraw("t1", because: .expired)) == [.stillOwed])
        history.happens(.logNoted(text: "an hour passes"))
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
        try history.perform(.withdraw("t1", because: .expired))
    }
}
