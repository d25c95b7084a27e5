import PurchaseEvents
import Testing

/// What is said of a line as a whole, and what it makes of the periods of the line.
@Suite struct GrantedPeriodTests {
    private static let withdraw = Command.withdraw("t1", because: .expired)

    private func history(_ facts: Fact<Written>...) -> History {
        EvolveTests.state(after: [Say.listed("news", .autoRenewable)] + facts)
    }

    private func failed(graceUntil end: Int) -> Fact<Written> {
        .renewalFailed(.init(original: "t1", graceExpiresAt: History.hour(end)))
    }

    @Test func `each extension lengthens the period that had begun when it was stated`() {
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
    func `a grace period ends by the word that was stated after it`(_ word: Fact<Written>) throws {
        var history = history(
            Say.row("t1", "news", original: "t1", at: 0, until: 2), Say.delivered("t1"))
        // Of an earlier grace.
        history.happens(word, as: nil, signedAt: History.hour(1))
        history.happens(failed(graceUntil: 99))
        #expect(history.refusals(of: .open("x")) == [])
        #expect(history.refusals(of: GrantedPeriodTests.withdraw) == [.stillOwed])
        history.happens(word)
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
        try history.perform(GrantedPeriodTests.withdraw)
    }

    @Test func `what is said of tests lengthens no period of production`() {
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

    @Test func `what is stated in production counts over what is stated of tests`() {
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

    @Test func `a link of tests moves no line of production`() {
        var history = history()
        history.happens(Say.row("t1", "news", original: "t1", at: 0, until: 99), as: "alice")
        history.session = Session(account: "bob", environment: .sandbox)
        history.happens(.accountLinked(.init(original: "t1")))
        history.session = Session(account: "bob", environment: .production)
        #expect(history.refusals(of: .deliver("t1")) == [.otherAccount])
        history.happens(.accountLinked(.init(original: "t1")))
        #expect(history.refusals(of: .deliver("t1")) == [])
    }

    @Test func `a line is whose any statement of a period names first`() {
        var history = history(
            Say.row("t1", "news", original: "t1", at: 0, until: 3),
            Say.row("t2", "news", original: "t1", at: 3, until: 99))
        history.session.account = "bob"
        #expect(history.refusals(of: .open("x")) == [])
        history.happens(.cancellationReversed(transaction: "t2"), as: "alice")
        #expect(history.refusals(of: .open("x")) == [.notEntitled])
    }

    @Test func `what only restores a line is withdrawn when the line is over`() throws {
        var history = history(
            Say.row("t1", "news", original: "t1", at: 0, until: 5),
            Say.restored("t2", of: "t1", "news"), Say.delivered("t2"))
        let withdraw = Command.withdraw("t2", because: .expired)
        #expect(history.refusals(of: withdraw) == [.stillOwed])
        history.happens(.logNoted(text: "an hour passes"))
        try history.perform(withdraw)
    }

    @Test func `the date of a restore counts only where nothing else says one`() {
        var history = history(
            .queueRestored(
                .init(
                    transaction: "t2", original: "t1", product: "news",
                    purchasedAt: History.hour(5), expiresAt: History.hour(9))))
        #expect(history.state.transactions["t2"]?.purchasedAt == History.hour(5))
        history.happens(Say.row("t2", "news", original: "t1", at: 1, until: 9))
        #expect(history.state.transactions["t2"]?.purchasedAt == History.hour(1))
    }
}
