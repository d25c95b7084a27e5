import PurchaseEvents
import Testing

/// Statements about a line as a whole, and their effect on the line's periods.
struct GrantedPeriodTests {
    private static let withdraw = Command.withdraw("t1", because: .expired)

    private func history(_ facts: Fact<Written>...) -> History {
        EvolveTests.state(after: [Say.listed("news", .autoRenewable)] + facts)
    }

    private func failed(graceUntil end: Int) -> Fact<Written> {
        .renewalFailed(.init(original: "t1", graceExpiresAt: History.hour(end)))
    }

    @Test func `each extension extends the latest period that had started`() {
        let extensions = [(1, 3), (4, 9)]
        for order in [extensions, extensions.reversed()] {
            var history = history(
                Say.row("t1", "news", original: "t1", at: 0, until: 1),
                Say.row("t2", "news", original: "t1", at: 4, until: 5))
            for (said, end) in order {
                history.happens(
                    .renewalExtended(.init(original: "t1", expiresAt: History.hour(end))),
                    as: nil, signedAt: History.hour(said))
            }
            history.happens(
                Say.issue("x", at: 2), Say.issue("newest", at: 3), Say.issue("y", at: 8))
            #expect(history.refusals(of: .open("x")) == [])
            #expect(history.refusals(of: .open("y")) == [])
        }
    }

    @Test(arguments: [
        Fact<Written>.renewalGraceExpired(original: "t1"),
        .renewalExpired(.init(original: "t1", reason: .billing)),
        .renewalExpired(
            .init(original: "t1", expiresAt: History.hour(2), reason: .billing)),
    ])
    func `a later statement ends a grace period`(_ word: Fact<Written>) throws {
        var history = history(
            Say.row("t1", "news", original: "t1", at: 0, until: 2), Say.delivered("t1"))
        // About an earlier grace period, and before the period was stated.
        history.happens(word, as: nil, signedAt: History.hour(-1))
        history.happens(failed(graceUntil: 99))
        #expect(history.refusals(of: .open("x")) == [])
        #expect(history.refusals(of: GrantedPeriodTests.withdraw) == [.stillOwed])
        history.happens(word)
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
        try history.perform(GrantedPeriodTests.withdraw)
    }

    @Test func `test statements extend no production period`() {
        var history = history(Say.row("t1", "news", original: "t1", at: 0, until: 2))
        let said = [
            failed(graceUntil: 99),
            .renewalExtended(.init(original: "t1", expiresAt: History.hour(99))),
            .renewalExtended(
                .init(original: "t1", transaction: "t1", expiresAt: History.hour(99))),
        ]
        history.session.environment = .sandbox
        for fact in said { history.happens(fact) }
        history.session.environment = .production
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
        for fact in said {
            var told = history
            told.happens(fact)
            #expect(told.refusals(of: .open("x")) == [])
        }
    }

    @Test func `production statements take precedence over test statements`() {
        for isLate in [false, true] {
            var history = history(Say.listed("gold", .autoRenewable))
            let rows: [(Environment, Fact<Written>)] = [
                (.production, Say.row("t1", "news", original: "t1", at: 0, until: 99)),
                (.sandbox, Say.row("t1", "gold", original: "t1", at: 1, cancelledAt: 2)),
            ]
            for (environment, row) in isLate ? rows.reversed() : rows {
                history.session.environment = environment
                history.happens(row)
            }
            history.session.environment = .production
            let known = history.state.transactions["t1"]
            #expect(known?.product == "news" && known?.isRefunded == false)
            #expect(known?.environment == .production)
            #expect(history.refusals(of: .open("x")) == [])
            #expect(history.refusals(of: .deliver("t1")) == [])
        }
    }

    @Test func `a link in tests moves no production subscription`() {
        var history = history()
        history.happens(Say.row("t1", "news", original: "t1", at: 0, until: 99), as: "alice")
        history.session = Session(account: "bob", environment: .sandbox)
        history.happens(.accountLinked(.init(original: "t1")))
        history.session = Session(account: "bob", environment: .production)
        #expect(history.refusals(of: .deliver("t1")) == [.otherAccount])
        history.happens(.accountLinked(.init(original: "t1")))
        #expect(history.refusals(of: .deliver("t1")) == [])
    }

    @Test func `the first account that a period's statement names owns the subscription`() {
        var history = history(
            Say.row("t1", "news", original: "t1", at: 0, until: 3),
            Say.row("t2", "news", original: "t1", at: 3, until: 99))
        history.session.account = "bob"
        #expect(history.refusals(of: .open("x")) == [])
        history.happens(.cancellationReversed(transaction: "t2"), as: "alice")
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
    }

    @Test func `a transaction that only restores is withdrawn when its subscription ends`() throws {
        var history = history(
            Say.row("t1", "news", original: "t1", at: 0, until: 5),
            Say.restored("t2", of: "t1", "news"), Say.delivered("t2"))
        let withdraw = Command.withdraw("t2", because: .expired)
        #expect(history.refusals(of: withdraw) == [.stillOwed])
        history.happens(.logNoted(text: "an hour passes"))
        try history.perform(withdraw)
    }

    @Test func `the date of a restore counts only if nothing else states one`() {
        var history = history(Say.restored("t2", of: "t1", "news", at: 5, until: 9))
        #expect(history.state.transactions["t2"]?.purchasedAt == History.hour(5))
        history.happens(Say.row("t2", "news", original: "t1", at: 1, until: 9))
        #expect(history.state.transactions["t2"]?.purchasedAt == History.hour(1))
    }
}
