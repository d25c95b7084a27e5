import PurchaseEvents
import TestSupport
import Testing

/// The log and the ledger compared with simple models, for any sequence of commands.
struct ModelTests {
    @Test func `a log behaves like a list of lines, whatever stops it`() {
        expectHolds(agreement("a log behaves like a list of lines") { try LogPair() })
    }

    /// The control: a wrong model is caught, with the shortest sequence.
    @Test func `a list that accepts an id twice is caught with two notes`() throws {
        let property = agreement("an id is accepted repeatedly") {
            var model = SimpleLog()
            model.forgetsIDs = true
            return try LogPair(model)
        }
        let found = try #require(property.run().counterexample)
        // Two notes with the same `id`, in one batch or, for some seeds, in two.
        let shortest = (1...3).flatMap { id in
            [
                ["append([n0 as i\(id), n0 as i\(id)])"],
                ["n0 as i\(id)", "n0 as i\(id)"].map { "append([\($0)])" },
            ]
        }
        #expect(shortest.contains(found.lines), "\(found)")
        #expect(property.replay(found.choices)?.lines == found.lines)
    }

    /// The control: a disk that reports success without syncing.
    @Test func `a disk that pretends to sync is caught with a crash`() throws {
        let property = agreement("acknowledged events are durable") {
            try LogPair(on: MemoryFiles(liesAboutSyncing: true))
        }
        let found = try #require(property.run().counterexample)
        #expect(found.lines.count == 2, "\(found)")
        #expect(found.lines.first?.hasPrefix("crash(ofMachine") == true, "\(found)")
        #expect(found.lines.last == "open", "\(found)")
    }

    @Test func `a ledger behaves like a dictionary of purchases`() {
        expectHolds(agreement("a ledger behaves like a dictionary") { try LedgerPair() })
    }

    /// The control: a model that allows any delivered purchase to be finished.
    @Test func `a dictionary that forgets to persist is caught with two commands`() throws {
        let property = agreement("a delivered purchase may be finished") {
            try LedgerPair(SimpleShop(needsToPersist: false))
        }
        let found = try #require(property.run().counterexample)
        #expect((0...2).contains { found.lines == ["purchased(t\($0))", "deliver(t\($0))"] })
    }
}
