import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

/// Opening a ledger: the log's state is known, and problems are reported.
struct LedgerOpeningTests {
    private let files = MemoryFiles()
    private let me = LedgerSamples.me

    @Test func `a log is created where there is none, and opened where there is one`() throws {
        let folder = try TemporaryFolder()
        let first = try PurchaseLedger.openOrCreate(at: folder.log, now: History.hour(0))
        try first.perform(.launch, by: me, now: History.hour(1))
        try first.record(Say.purchased("t1"), by: me, now: History.hour(2))
        #expect(throws: EventLogError.self) { try PurchaseLedger.open(at: folder.log) }
        first.close()
        let second = try PurchaseLedger.openOrCreate(at: folder.log, now: History.hour(3))
        #expect(second.openingReport.events == 4)
        #expect(second.phase(of: "t1" as TransactionID<Written>) == .purchased)
        #expect(try second.pending().map(\.next) == [.deliver])
        second.close()
        try folder.write("", to: folder.path + "/empty.jsonl")
        let third = try PurchaseLedger.openOrCreate(
            at: folder.path + "/empty.jsonl", now: History.hour(3))
        #expect(third.openingReport.events == 1)
    }

    @Test func `a torn tail is refused, or cut on request`() throws {
        try LedgerSamples.launched(in: files).close()
        let whole = try #require(files[LedgerSamples.path])
        files[LedgerSamples.path] = whole + Array(#"{"seq":7,"at":"20"#.utf8)
        #expect {
            _ = try LedgerSamples.open(in: files)
        } throws: { error in
            guard case .tornTail? = error as? EventLogError else { return false }
            return true
        }
        let ledger = try LedgerSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        #expect(ledger.openingReport.cuts.map(\.tail.length) == [17])
        try ledger.record(Say.purchased("t1"), by: me, now: History.hour(2))
        #expect(try ledger.pending().map(\.next) == [.deliver])
    }

    @Test func `a line that isn't understood is reported, and the rest is known`() throws {
        let ledger = try LedgerSamples.launched(in: files)
        try ledger.record(Say.purchased("t1"), by: me, now: History.hour(2))
        ledger.close()
        files[LedgerSamples.path]?.append(contentsOf: Array(LogSamples.unknown(8).utf8))
        let again = try LedgerSamples.open(in: files)
        #expect(again.openingReport.notUnderstood == 1)
        #expect(!again.openingReport.isSound)
        try again.perform(.deliver("t1"), by: me, now: History.hour(3))
        #expect(try again.pending().map(\.next) == [.persist])
    }

    @Test func `a closed ledger writes and answers nothing`() throws {
        let ledger = try LedgerSamples.launched(in: files)
        ledger.close()
        #expect(throws: LedgerError.log(.closed(path: LedgerSamples.path))) {
            try ledger.perform(.launch, by: me, now: History.hour(1))
        }
        #expect(throws: EventLogError.closed(path: LedgerSamples.path)) {
            _ = try ledger.pending()
        }
    }

    @Test func `a log that was cut outside is refused, and the ledger lives on`() throws {
        let ledger = try LedgerSamples.launched(in: files)
        #expect(try ledger.pending() == [])
        let whole = files[LedgerSamples.path]
        files[LedgerSamples.path] = whole?.dropLast(10)
        #expect(throws: EventLogError.self) { _ = try ledger.pending() }
        #expect(throws: LedgerError.self) {
            try ledger.record(Say.purchased("t1"), by: me, now: History.hour(2))
        }
        files[LedgerSamples.path] = whole
        #expect(try ledger.pending() == [])
    }
}
