import PurchaseEvents
import TestSupport
import Testing

/// The log and the ledger against simple models, by any sequence of commands.
@Suite struct ModelTests {
    @Test func `a log does what a list of lines does, whatever stops it`() {
        expectHolds(agreement("a log does what a list of lines does") { try LogPair() })
    }

    /// The control: a model that is wrong is caught, by the shortest sequence.
    @Test func `a list that takes an id twice is caught with two notes`() throws {
        let property = agreement("an id is taken again and again") {
            var model = SimpleLog()
            model.forgetsIDs = true
            return try LogPair(model)
        }
        let found = try #require(property.run().counterexample)
        // Two notes with one `id`, whichever it is, in one batch or, by some seeds, in two.
        let shortest = (1...3).flatMap { id in
            [
                ["append([n0 as i\(id), n0 as i\(id)])"],
                ["n0 as i\(id)", "n0 as i\(id)"].map { "append([\($0)])" },
            ]
        }
        #expect(shortest.contains(found.lines), "\(found)")
        #expect(property.replay(found.choices)?.lines == found.lines)
    }

    /// The control: a disk that says that it syncs, and doesn't.
    @Test func `a disk that only says that it syncs is caught with a crash`() throws {
        let property = agreement("what is acknowledged is safe") {
            try LogPair(on: MemoryFiles(liesAboutSyncing: true))
        }
        let found = try #require(property.run().counterexample)
        #expect(found.lines.count == 2, "\(found)")
        #expect(found.lines.first?.hasPrefix("crash(ofMachine") == true, "\(found)")
        #expect(found.lines.last == "open", "\(found)")
    }

    @Test func `a ledger does what a dictionary of purchases does`() {
        expectHolds(agreement("a ledger does what a dictionary does") { try LedgerPair() })
    }

    /// The control: a model that lets anything be finished that is delivered.
    @Test func `a dictionary that forgets to persist is caught with two commands`() throws {
        let property = agreement("what is delivered may be finished") {
            try LedgerPair(SimpleShop(needsToPersist: false))
        }
        let found = try #require(property.run().counterexample)
        #expect((0...2).contains { found.lines == ["purchased(t\($0))", "deliver(t\($0))"] })
    }
}
