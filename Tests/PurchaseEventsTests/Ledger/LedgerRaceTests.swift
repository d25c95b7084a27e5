import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

/// Many tasks use one ledger: deciding and appending are one atomic step.
struct LedgerRaceTests {
    private let files = MemoryFiles()
    private let me = LedgerSamples.me
    private let now = History.hour(1)

    /// The results of a command that many tasks perform at once; `nil` means performed.
    private func race(
        _ count: Int, _ command: Command, _ ledger: PurchaseLedger
    ) async -> [Refusal?] {
        await withTaskGroup(of: Refusal?.self) { group in
            for _ in 0..<count {
                group.addTask { [me, now] in
                    do throws(LedgerError) {
                        try await ledger.perform(command, by: me, now: now)
                        return nil
                    } catch {
                        return error.refusal
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `exactly one of many tasks delivers a consumable`() async throws {
        let ledger = try LedgerSamples.launched(in: files)
        try await ledger.record(Say.purchased("t1"), by: me, now: now)
        let answers = await race(64, .deliver("t1"), ledger)
        #expect(answers.filter { $0 == nil }.count == 1)
        #expect(answers.filter { $0 == .deliveredAlready }.count == 63)
        try await ledger.perform(.persist("t1", in: .server), by: me, now: now)
        let finishes = await race(64, .finish(.transaction("t1")), ledger)
        #expect(finishes.filter { $0 == nil }.count == 1)
        #expect(finishes.filter { $0 == .finishedAlready }.count == 63)
        #expect(try LedgerSamples.count(.deliveryDelivered, in: files) == ["t1": 1])
        try LedgerSamples.expectNoError(in: files)
    }

    @Test func `exactly three of a quantity of three are delivered`() async throws {
        let ledger = try LedgerSamples.launched(in: files)
        try await ledger.record(Say.purchased("t1", quantity: 3), by: me, now: now)
        let answers = await race(32, .deliver("t1", quantity: 1), ledger)
        #expect(answers.filter { $0 == nil }.count == 3)
        #expect(try ledger.entitlements().map(\.quantity) == [3])
        try LedgerSamples.expectNoError(in: files)
    }

    @Test func `tasks that record and tasks that ask leave one history`() async throws {
        let ledger = try LedgerSamples.launched(in: files)
        let first = try LedgerSamples.count(.queuePurchased, in: files).count
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { [me, now] in
                    let id = TransactionID<Written>("t\(number % 10)")
                    let event = "e\(number % 10)"
                    _ = try? await ledger.record(Say.purchased(id), id: event, by: me, now: now)
                    _ = try? await ledger.perform(.deliver(id), by: me, now: now)
                    _ = try? await ledger.perform(.persist(id, in: .server), by: me, now: now)
                    _ = try? await ledger.perform(.finish(.transaction(id)), by: me, now: now)
                    _ = try? ledger.pending()
                }
            }
        }
        #expect(first == 0)
        let once = (0..<10).map { (TransactionID<Written>("t\($0)"), 1) }
        for type: EventType in [.queuePurchased, .deliveryDelivered, .queueFinished] {
            let counts = try LedgerSamples.count(type, in: files)
            #expect(counts == Dictionary(uniqueKeysWithValues: once))
        }
        #expect(try ledger.pending() == [])
        let state = ledger.state
        ledger.close()
        #expect(try LedgerSamples.open(in: files).state == state)
        try LedgerSamples.expectNoError(in: files)
    }
}
