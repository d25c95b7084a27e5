import TestSupport
import Testing

@testable import PurchaseEvents

struct EvolveTests {
    /// A history that leads to each phase of a transaction.
    static func facts(to phase: TransactionPhase) -> [Fact<Written>] {
        let bought = Say.purchased("t1", payment: "p1")
        let restored = Say.restored("t1", of: "t0")
        let (given, taken) = (Say.delivered("t1"), Say.withdrawn("t1"))
        let finished = Say.finished("t1")
        return switch phase {
        case .unseen: []
        case .attested: [Say.row("t1", "coins")]
        case .granted: [Say.row("t1", "coins"), given]
        case .purchased: [bought]
        case .delivered: [bought, given]
        case .restored: [restored]
        case .redelivered: [restored, given]
        case .finished: [bought, given, finished]
        case .withdrawn: [bought, given, finished, taken]
        case .returned: [bought, given, finished, .appLaunched, bought]
        case .restoreFinished: [restored, finished]
        case .restoreWithdrawn: [restored, given, finished, taken]
        case .restoreReturned: [restored, finished, .appLaunched, restored]
        case .closed: [finished]
        }
    }

    static func facts(to phase: PaymentPhase) -> [Fact<Written>] {
        let requested = Say.requested("p1")
        return switch phase {
        case .unseen: []
        case .requested: [requested]
        case .purchasing: [requested, .queuePurchasing(payment: "p1")]
        case .deferred: [requested, .queueDeferred(payment: "p1")]
        case .failed: [requested, Say.failed("p1")]
        case .purchased: [requested, Say.purchased("t9", payment: "p1")]
        }
    }

    static func facts(to phase: SubscriptionPhase) -> [Fact<Written>] {
        let start = SampleFacts.of(.renewalStarted)
        return switch phase {
        case .unseen: []
        case .active: [start]
        case .ending: [start, .renewalTurnedOff(original: "t0")]
        case .grace: [start, SampleFacts.of(.renewalFailed)]
        case .retry: [start, .renewalGraceExpired(original: "t0")]
        case .expired: [start, SampleFacts.of(.renewalExpired)]
        }
    }

    static func state(after facts: [Fact<Written>]) -> History {
        var history = History()
        for fact in facts { history.happens(fact) }
        return history
    }

    @Test(arguments: TransactionPhase.allCases)
    func `a history reaches each phase of a transaction`(_ phase: TransactionPhase) {
        let state = EvolveTests.state(after: EvolveTests.facts(to: phase)).state
        #expect(state.phase(of: TransactionID<Written>("t1")) == phase)
    }

    @Test(arguments: PaymentPhase.allCases)
    func `a history reaches each phase of a payment`(_ phase: PaymentPhase) {
        let state = EvolveTests.state(after: EvolveTests.facts(to: phase)).state
        #expect(state.phase(of: PaymentID<Written>("p1")) == phase)
    }

    @Test(arguments: SubscriptionPhase.allCases)
    func `a history reaches each phase of a subscription`(_ phase: SubscriptionPhase) {
        let state = EvolveTests.state(after: EvolveTests.facts(to: phase)).state
        #expect(state.subscriptionPhase(of: "t0") == phase)
    }

    @Test func `test statements don't change the phase of a production subscription`() {
        var history = EvolveTests.state(after: [SampleFacts.of(.renewalStarted)])
        let expired = SampleFacts.of(.renewalExpired)
        history.session.environment = .sandbox
        history.happens(.renewalTurnedOff(original: "t0"), expired)
        #expect(history.state.subscriptionPhase(of: "t0") == .active)
        history.session.environment = .production
        history.happens(.renewalTurnedOff(original: "t0"))
        #expect(history.state.subscriptionPhase(of: "t0") == .ending)
        // For a subscription in tests, test statements count.
        var tests = History()
        tests.session.environment = .xcode
        tests.happens(SampleFacts.of(.renewalStarted), expired)
        #expect(tests.state.subscriptionPhase(of: "t0") == .expired)
    }

    @Test(arguments: TransactionPhase.allCases)
    func `any event in any phase gives a state, and a forbidden one changes nothing`(
        _ phase: TransactionPhase
    ) {
        for payment in PaymentPhase.allCases {
            for subscription in SubscriptionPhase.allCases {
                // Unless all tests run, try any two of the three dimensions together.
                let isPair = phase == .unseen || payment == .unseen || subscription == .unseen
                guard Effort.isWhole || isPair else { continue }
                let history = EvolveTests.state(
                    after: EvolveTests.facts(to: payment) + EvolveTests.facts(to: subscription)
                        + EvolveTests.facts(to: phase))
                for fact in SampleFacts.all {
                    let event = history.event(fact)
                    let next = history.state.evolved(by: event)
                    if history.state.forbids(event) { #expect(next == history.state) }
                    let twice = next.evolved(by: event).evolved(by: event)
                    #expect(twice.transactions.count >= next.transactions.count)
                }
            }
        }
    }

    @Test func `an event about something else changes no phase`() {
        for phase in TransactionPhase.allCases {
            let history = EvolveTests.state(after: EvolveTests.facts(to: phase))
            for fact in SampleFacts.all where TransactionStep(fact.type) == nil {
                let next = history.state.evolved(by: history.event(fact))
                #expect(next.phase(of: TransactionID<Written>("t1")) == phase)
            }
        }
    }

    @Test func `a transaction is purchased or restored, never both`() {
        for (first, second) in [
            (Say.purchased("t1"), Say.restored("t1", of: "t0")),
            (Say.restored("t1", of: "t0"), Say.purchased("t1")),
        ] {
            let history = EvolveTests.state(after: [first])
            let event = history.event(second)
            #expect(history.state.forbids(event))
            #expect(history.state.evolved(by: event) == history.state)
        }
    }

    @Test func `statements about a transaction have the same result in any order`() {
        let signed: [(Fact<Written>, Int)] = [
            (Say.row("t1", "news", original: "t0", until: 5), 1),
            (Say.row("t1", "news", original: "t0", until: 7), 2),
            (Say.refunded("t1", at: 3), 3), (.cancellationReversed(transaction: "t1"), 4),
        ]
        var ends: Set<[Timestamp?]> = []
        for first in signed.indices {
            var history = History()
            for (fact, at) in signed[first...] + signed[..<first] {
                history.happens(fact, as: nil, signedAt: History.hour(at))
            }
            let known = history.state.transactions["t1"]
            ends.insert([known?.expiresAt])
            #expect(known?.isRefunded == false)
        }
        #expect(ends == [[History.hour(7)]])
    }

    @Test func `quantities at the limits don't overflow`() {
        var history = EvolveTests.state(after: [Say.purchased("t1", quantity: .min)])
        for quantity: Int64 in [.min, .min, .max, .max, .max] {
            history.happens(
                Say.delivered("t1", quantity: quantity), Say.purchased("t1", quantity: quantity),
                .deliveryConsumed(.init(product: "coins", quantity: quantity)),
                Say.delivered("t1"), Say.withdrawn("t1"), .appLaunched)
            _ = history.refusals(of: .deliver("t1", quantity: quantity))
        }
        #expect(history.state.transactions["t1"]?.deliveredQuantity == 0)
    }

    @Test func `the read path folds handles as writers fold names`() {
        var interned = PurchaseState<Interned>()
        let id = TransactionHandle(Handle(rawValue: 0))
        let facts: [Fact<Interned>] = [
            .queuePurchased(
                .init(
                    transaction: id, product: .init(Handle(rawValue: 0)),
                    purchasedAt: History.hour(0))),
            .deliveryDelivered(.init(transaction: id)),
            .queueFinished(entry: .transaction(id)),
        ]
        var event = LogEvent()
        event.at = History.hour(0)
        for fact in facts {
            event.fact = fact
            interned.evolve(event)
        }
        #expect(interned.phase(of: id) == .finished)
    }
}
