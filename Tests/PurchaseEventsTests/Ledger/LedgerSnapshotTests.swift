import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

/// Ledgers and logs that open from a snapshot are those that read the whole log.
struct LedgerSnapshotTests {
    private static let path = LogSamples.path
    private static let snapshot = "snapshot"

    private static func open(
        _ files: MemoryFiles, _ snapshot: String? = snapshot, every interval: Int64 = 1_000_000
    ) throws -> PurchaseLedger {
        try PurchaseLedger { () throws(EventLogError) in
            try EventLog.openFolding(
                at: path, durability: .disk, tornTail: .refuse, snapshot: snapshot,
                snapshotInterval: interval, operations: files)
        }
    }

    /// What the snapshot knows of the log; `nil` if it doesn't fit.
    private static func known(_ files: MemoryFiles) throws -> LogSnapshot.Content? {
        let log = try LogBytes(at: path, operations: files)
        return LogSnapshot(at: snapshot, every: 1, operations: files).read(of: log, folds: true)
    }

    /// A ledger with a history, closed with its snapshot.
    private static func files(_ dice: inout Dice, requests: Int = 60) throws -> MemoryFiles {
        let files = MemoryFiles()
        try LedgerSamples.launched(in: files).close()
        let ledger = try open(files)
        for _ in 0..<requests { _ = LedgerRound.commit([LedgerRound.random(&dice)], to: ledger) }
        ledger.close()
        return files
    }

    @Test func `a ledger goes on from its snapshot, again and again`() throws {
        let seed = UInt64(17)
        print("seed \(seed)")
        var dice = Dice(seed: seed)
        let files = try Self.files(&dice)
        for _ in 0..<Effort.of(whole: 200, part: 25) {
            let known = try #require(try Self.known(files))
            let whole = try Self.open(files, nil)
            if known.scan.end.offset == Int64(files[Self.path]?.count ?? 0) {
                #expect(known.state?.state == whole.state)
                #expect(known.scan.report == whole.openingReport)
            }
            let (state, report) = (whole.state, whole.openingReport)
            whole.close()
            let ledger = try Self.open(files, every: Int64(1 + dice.below(40)))
            #expect(ledger.state == state)
            #expect(ledger.openingReport == report)
            for _ in 0..<dice.below(30) {
                let requests = (0...dice.below(3)).map { _ in LedgerRound.random(&dice) }
                _ = LedgerRound.commit(requests, to: ledger)
            }
            // Without its end, the snapshot is of an earlier line.
            let early = files[Self.snapshot]
            ledger.close()
            if dice.below(3) == 0 { files[Self.snapshot] = early }
            #expect(files["snapshot.new"] == nil)
        }
    }

    @Test func `a snapshot written behind the appends fits the log`() throws {
        var dice = Dice(seed: 5)
        let files = try Self.files(&dice, requests: 0)
        files[Self.snapshot] = nil
        let ledger = try Self.open(files, every: 10)
        for number in 0..<400 {
            try ledger.record(
                Say.purchased(.init("p\(number)")), id: "x\(number)", by: LedgerRound.me,
                now: LedgerRound.now)
        }
        let state = ledger.state
        let bytes = files[Self.path]
        ledger.close()
        let again = try Self.open(files)
        #expect(again.state == state)
        // An `id` that only the snapshot knows.
        let known = try again.record(
            Say.purchased("p3"), id: "x3", by: LedgerRound.me, now: LedgerRound.now)
        #expect(known.outcome == .alreadyThere)
        again.close()
        #expect(files[Self.path] == bytes)
    }

    @Test func `a snapshot that is damaged, or of another log, is ignored`() throws {
        var dice = Dice(seed: 3)
        let files = try Self.files(&dice, requests: 20)
        let whole = try Self.open(files, nil)
        let (state, report) = (whole.state, whole.openingReport)
        whole.close()
        let good = try #require(files[Self.snapshot])
        for _ in 0..<Effort.of(whole: 20_000, part: 400) {
            var damaged = good
            damaged[dice.below(good.count)] ^= 1 << UInt8(dice.below(8))
            if dice.below(4) == 0 { damaged = Array(good[..<dice.below(good.count)]) }
            files[Self.snapshot] = damaged
            #expect(try Self.known(files) == nil)
        }
        let ledger = try Self.open(files)
        #expect(ledger.state == state)
        #expect(ledger.openingReport == report)
        ledger.close()
        #expect(try Self.known(files) != nil)
        // A log with another line in the place of one that the snapshot knows.
        var log = try #require(files[Self.path])
        let place = try #require(log.lastIndex(of: UInt8(ascii: ":")))
        log[place - 2] ^= 1
        files[Self.path] = log
        #expect(try Self.known(files) == nil)
        files[Self.path] = Array(log.dropLast(200))
        #expect(try Self.known(files) == nil)
    }

    @Test(arguments: [FileCall.open, .append, .syncFile, .rename, .syncFolder])
    func `a snapshot that can't be written changes nothing`(_ call: FileCall) throws {
        var dice = Dice(seed: 11)
        let files = try Self.files(&dice, requests: 10)
        let before = files[Self.snapshot]
        for number in 0..<12 {
            let ledger = try Self.open(files, every: 5)
            try ledger.record(
                Say.purchased(.init("q\(number)")), by: LedgerRound.me, now: LedgerRound.now)
            files.plan { $0 == call && $1 == number ? .fail(28) : nil }
            ledger.close()
            files.heal()
            let whole = try Self.open(files, nil)
            let resumed = try Self.known(files)
            if let resumed, resumed.scan.end.offset == Int64(files[Self.path]?.count ?? 0) {
                #expect(resumed.state?.state == whole.state)
            }
            whole.close()
        }
        #expect(before != nil)
    }

    @Test func `a log without a ledger goes on from its snapshot`() throws {
        let files = MemoryFiles()
        let log = try LogSamples.create(in: files)
        log.close()
        func open() throws -> EventLog {
            try EventLog.open(
                at: Self.path, durability: .disk, tornTail: .refuse, snapshot: Self.snapshot,
                operations: files)
        }
        let first = try open()
        let draft = Draft(at: LedgerRound.now, id: "a", Say.purchased("t1"))
        let appended = try first.append(draft)
        first.close()
        let again = try open()
        #expect(again.openingReport.events == 2)
        #expect(try again.append(draft).seq == appended.seq)
        #expect(try again.lastSeq == appended.seq)
        let next = try again.append(Draft(at: LedgerRound.now, id: "b", Say.purchased("t2")))
        #expect(next.seq == appended.seq + 1)
        again.close()
        let plain = try LogSamples.open(in: files)
        #expect(plain.openingReport.isSound)
        plain.close()
    }
}
