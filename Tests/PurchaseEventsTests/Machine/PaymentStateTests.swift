import PurchaseEvents
import Testing

struct PaymentStateTests {
    private func forbids(_ next: Fact<Written>, after facts: [Fact<Written>]) -> Bool {
        let history = EvolveTests.state(after: facts)
        return history.state.forbids(history.event(next))
    }

    private let purchasing = Fact<Written>.queuePurchasing(payment: "p1")
    private let deferred = Fact<Written>.queueDeferred(payment: "p1")
    private let failed = Say.failed("p1")
    private let requested = Say.requested("p1")

    @Test func `a request never goes back`() {
        #expect(forbids(purchasing, after: [requested, deferred]))
        #expect(forbids(purchasing, after: [requested, failed]))
        #expect(forbids(deferred, after: [requested, failed]))
    }

    @Test func `a second request of a payment can take a step that the first can't`() {
        #expect(!forbids(purchasing, after: [requested, requested, deferred]))
        #expect(!forbids(purchasing, after: [requested, failed, requested]))
        #expect(
            forbids(
                purchasing,
                after: [requested, deferred, requested, purchasing, failed]
                    + [failed, Say.purchased("t1", payment: "p1"), deferred]))
    }

    @Test func `a payment that was never requested may start in any phase, once`() {
        for first in [purchasing, deferred, failed] { #expect(!forbids(first, after: [])) }
        #expect(forbids(purchasing, after: [Say.purchased("t1", payment: "p1")]))
        let finished = Fact<Written>.queueFinished(entry: .payment("p1"))
        #expect(!forbids(deferred, after: [finished, .queueRemoved(entry: .payment("p1"))]))
    }

    @Test func `a failed request may still be purchased`() {
        #expect(!forbids(Say.purchased("t1", payment: "p1"), after: [requested, failed]))
    }

    @Test func `a purchase presented again doesn't close another request`() {
        let bought = Say.purchased("t1", payment: "p1")
        let facts = [requested, requested, bought, .appLaunched, bought]
        #expect(!forbids(purchasing, after: facts))
    }

    @Test func `finishing a payment finishes its failure, else its purchase`() {
        let finished = Fact<Written>.queueFinished(entry: .payment("p1"))
        let bought = Say.purchased("t1", payment: "p1")
        var history = EvolveTests.state(after: [requested, requested, bought, failed, finished])
        #expect(history.state.phase(of: "t1" as TransactionID<Written>) == .purchased)
        history.happens(finished)
        #expect(history.state.phase(of: "t1" as TransactionID<Written>) == .finished)
        history.happens(.appLaunched, bought)
        #expect(history.state.phase(of: "t1" as TransactionID<Written>) == .returned)
        history.happens(finished)
        #expect(history.state.phase(of: "t1" as TransactionID<Written>) == .finished)
    }

    @Test func `finishing a payment with a waiting request finishes no purchase`() {
        let finished = Fact<Written>.queueFinished(entry: .payment("p1"))
        let bought = Say.purchased("t1", payment: "p1")
        for waiting in [requested, purchasing, deferred] {
            let history = EvolveTests.state(
                after: [requested, requested, bought, waiting, finished])
            #expect(history.state.phase(of: "t1" as TransactionID<Written>) == .purchased)
        }
    }

    @Test func `a consumable finished through its payment is compacted and expanded`() {
        let finished = Fact<Written>.queueFinished(entry: .payment("p1"))
        let bought = Say.purchased("t1", payment: "p1")
        var history = EvolveTests.state(
            after: [
                Say.listed("coins", .consumable), requested, bought, Say.delivered("t1"),
                .deliveryPersisted(.init(transaction: "t1", store: .server)), finished,
            ])
        #expect(history.state.transactions.isEmpty)
        #expect(history.state.phase(of: "t1" as TransactionID<Written>) == .finished)
        history.happens(.appLaunched, bought)
        #expect(history.state.phase(of: "t1" as TransactionID<Written>) == .returned)
    }

    @Test func `a failure presented again is finished once`() throws {
        var history = EvolveTests.state(
            after: [requested, failed, .appLaunched, .queueObserved, failed])
        try history.perform(.finish(.payment("p1")))
        #expect(history.refusals(of: .finish(.payment("p1"))) == [.finishedAlready])
    }

    @Test func `two failures of two requests are finished one by one`() throws {
        var history = EvolveTests.state(after: [requested, requested, failed, failed])
        try history.perform(.finish(.payment("p1")), .finish(.payment("p1")))
        #expect(history.refusals(of: .finish(.payment("p1"))) == [.finishedAlready])
    }

    @Test func `a finish through a payment is that of its oldest purchase that is not finished`() {
        let byPayment = Fact<Written>.queueFinished(entry: .payment("p1"))
        var history = EvolveTests.state(
            after: [
                requested, requested, requested, Say.purchased("t1", payment: "p1"),
                Say.purchased("t2", payment: "p1"), Say.purchased("t3", payment: "p1"),
            ])
        func phases() -> [TransactionPhase] {
            (["t1", "t2", "t3"] as [TransactionID<Written>]).map { history.state.phase(of: $0) }
        }
        history.happens(byPayment)
        #expect(phases() == [.finished, .purchased, .purchased])
        history.happens(Say.finished("t2"), byPayment)
        #expect(phases() == [.finished, .finished, .finished])
    }
}
