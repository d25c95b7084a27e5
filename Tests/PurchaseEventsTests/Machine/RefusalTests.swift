import PurchaseEvents
import Testing

struct RefusalTests {
    @Test(arguments: RefusalSample.all.keys.sorted { $0.rawValue < $1.rawValue })
    func `each refusal has a history in which only it applies`(
        _ refusal: Refusal
    ) throws {
        let sample = try #require(RefusalSample.all[refusal])
        let history = sample.history
        #expect(history.refusals(of: sample.command) == [refusal])
        #expect(throws: refusal) {
            try decide(sample.command, history.state, by: sample.session, now: history.now)
        }
    }

    @Test func `only the refusals of recording apply to no command`() {
        let missing = Refusal.allCases.filter { RefusalSample.all[$0] == nil }
        #expect(missing == [.isACommand, .untrustedSource])
    }

    @Test func `each rule about the app's acts has a refusal`() {
        let rules = Set(Refusal.allCases.compactMap(\.rule))
        #expect(rules.isSuperset(of: RefusalTests.rulesOfActs))
        let warnings: Set = ["validated-before-server-content", "consumed-within-delivered"]
        #expect(rules.subtracting(RefusalTests.rulesOfActs) == warnings)
    }

    @Test func `each refusal says what is wrong in lower case and without a full stop`() {
        for refusal in Refusal.allCases {
            let text = refusal.description
            #expect(text.first?.isLowercase == true && text.last != ".", "\(text)")
        }
        #expect(Set(Refusal.allCases.map(\.description)).count == Refusal.allCases.count)
    }

    @Test func `several refusals come in the order of the list`() {
        var history = History()
        history.happens(
            .appLaunched, Say.purchased("t1", quantity: 3),
            .deliveryDownload(Say.download("t1", .paused)))
        #expect(
            history.refusals(of: .finish(.transaction("t1")))
                == [.notObserved, .downloading, .undelivered, .unpersisted])
        history.happens(Say.delivered("t1", quantity: 1))
        #expect(
            history.refusals(of: .finish(.transaction("t1")))
                == [.notObserved, .downloading, .deliveredInPart, .unpersisted])
        history.happens(.queueObserved, Say.finished("t1"), Say.refunded("t1"))
        #expect(
            history.refusals(of: .deliver("t1", quantity: 11))
                == [.quantityNotSane, .afterFinish, .refunded, .tooMany])
        #expect(throws: Refusal.quantityNotSane) {
            try decide(.deliver("t1", quantity: 11), history.state, now: history.now)
        }
        #expect(history.refusals(of: .finish(.transaction("t1"))) == [.finishedAlready])
    }

    @Test func `the refusals for combined samples equal the golden file`() throws {
        var text = ""
        for first in Refusal.allCases {
            for second in Refusal.allCases where first != second {
                guard let sample = RefusalSample.all[first], let other = RefusalSample.all[second],
                    sample.command == other.command, sample.recorder == nil, other.recorder == nil
                else { continue }
                var history = sample.history
                for fact in other.facts { history.happens(fact) }
                let found = history.refusals(of: sample.command)
                text += "\(first.rawValue), then \(second.rawValue): "
                text += found.map(\.rawValue).joined(separator: " ") + "\n"
                if let thrown = found.first {
                    #expect(throws: thrown) {
                        try decide(sample.command, history.state, now: history.now)
                    }
                }
            }
        }
        try expectGolden(text, "machine/precedence.txt")
    }

    @Test func `an app's act must be performed, not recorded`() {
        let history = History()
        for fact in SampleFacts.all {
            let event = history.event(fact)
            if Command.acts.contains(fact.type) {
                #expect(throws: Refusal.isACommand) { try admit(event, history.state) }
            } else {
                #expect(throws: Never.self) { try admit(event, history.state) }
            }
        }
    }

    @Test func `queue events are refused without an observer`() throws {
        var history = History()
        history.happens(.appLaunched)
        #expect(throws: Refusal.notObserved) {
            try admit(history.event(Say.purchased("t1")), history.state)
        }
        try history.perform(.launch)
        try admit(history.event(Say.purchased("t1")), history.state)
        history.happens(.queueUnobserved)
        #expect(throws: Refusal.notObserved) {
            try admit(history.event(Say.failed("p1")), history.state)
        }
    }

    @Test func `events from an untrusted notification are refused`() {
        var history = History()
        history.happens(SampleFacts.of(.notificationReceived))
        #expect(throws: Refusal.untrustedSource) {
            try admit(history.event(Say.refunded("t1"), source: "n1"), history.state)
        }
        #expect(throws: Never.self) {
            try admit(history.event(Say.refunded("t1"), source: "n2"), history.state)
        }
    }

    /// The rules at error level that an act of the app can break. Other such rules concern
    /// statements of the store or the log itself.
    static let rulesOfActs: Set = [
        "finished-implies-delivered", "finished-implies-persisted", "finished-implies-downloaded",
        "nothing-after-finish", "finished-once", "finish-only-at-the-end",
        "delivered-implies-paid", "delivered-once", "delivered-quantity", "delivered-to-payer",
        "downloads-move-forward", "observed-from-launch", "payments-allowed", "quantity-sane",
        "restored-to-owner", "granted-implies-owed", "content-within-periods",
        "refund-grants-nothing", "withdrawal-has-a-reason", "environments-apart", "secret-right",
        "period-well-formed",
    ]
}
