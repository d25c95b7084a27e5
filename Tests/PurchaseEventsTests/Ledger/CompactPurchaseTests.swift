import Testing

@testable import PurchaseEvents

/// Finished consumables are stored compactly without losing information.
struct CompactPurchaseTests {
    private func finished(_ count: Int = 1) throws -> History {
        var history = History()
        history.session = LedgerSamples.me
        try history.perform(.launch)
        history.happens(Say.listed("coins", .consumable))
        for number in 1...count {
            let id = TransactionID<Written>("t\(number)")
            history.happens(Say.purchased(id))
            try history.perform(
                .deliver(id), .persist(id, in: .server), .finish(.transaction(id)))
        }
        return history
    }

    @Test func `a finished consumable is stored compactly and still found`() throws {
        let history = try finished(3)
        #expect(history.state.transactions.isEmpty)
        #expect(history.state.compacted.count == 3)
        #expect(history.state.phase(of: "t1" as TransactionID<Written>) == .finished)
        #expect(history.state.transaction("t1")?.deliveredQuantity == 1)
        #expect(history.refusals(of: .deliver("t1")).contains(.afterFinish))
        #expect(history.refusals(of: .finish(.transaction("t1"))) == [.finishedAlready])
        let sizes = (
            MemoryLayout<CompactPurchase<Fingerprinted>>.stride,
            MemoryLayout<TransactionState<Fingerprinted>>.stride
        )
        #expect(sizes.0 * 2 < sizes.1, "\(sizes)")
    }

    @Test func `later events have the same effect as on the full state`() throws {
        for type in EventType.allCases {
            var history = try finished()
            let event = history.event(SampleFacts.of(type))
            var kept = history.state
            for (id, purchase) in kept.compacted {
                kept.compacted = [:]
                kept.transactions[id] = TransactionState(purchase)
            }
            history.take(event)
            kept.evolve(event)
            #expect(kept.transaction("t1") == history.state.transaction("t1"), "\(type)")
            #expect(kept.transaction("t0") == history.state.transaction("t0"), "\(type)")
            #expect(kept.subscriptions == history.state.subscriptions, "\(type)")
            #expect(kept.products == history.state.products, "\(type)")
        }
    }

    @Test func `a refund expands the purchase, and a reversal allows a new delivery`() throws {
        var history = try finished()
        history.happens(Say.refunded("t1", at: 6))
        #expect(history.state.compacted.isEmpty)
        try history.perform(.withdraw("t1", because: .refunded))
        history.happens(.cancellationReversed(transaction: "t1"))
        try history.perform(.deliver("t1"))
        #expect(history.refusals(of: .deliver("t1")).first == .afterFinish)
    }

    @Test func `purchases expand when their product turns out not to be a consumable`() throws {
        var history = try finished()
        history.happens(Say.listed("coins", .nonConsumable))
        #expect(history.state.compacted.isEmpty)
        #expect(history.state.transactions.count == 1)
        #expect(history.refusals(of: .open("may")).isEmpty)
    }

    @Test func `a state of fingerprints refuses the same commands as one of names`() throws {
        let decoder = LineDecoder()
        for (refusal, sample) in RefusalSample.all {
            let history = sample.history
            var state = PurchaseState<Fingerprinted>()
            for event in history.events {
                let line = try LineWriter.line(of: event)
                let decoded = line.withUnsafeBytes { decoder.decodeFingerprinted($0) }
                guard case .event(let event) = decoded else {
                    Issue.record("\(decoded)")
                    continue
                }
                state.evolve(event)
            }
            let found = state.refusals(
                of: sample.command, by: sample.session, now: history.now, .asFingerprints())
            #expect(found == history.refusals(of: sample.command), "\(refusal)")
        }
    }
}
