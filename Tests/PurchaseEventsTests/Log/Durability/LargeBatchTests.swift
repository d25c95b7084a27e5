import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents

/// Another thread seals a large batch; otherwise it behaves like a small one.
struct LargeBatchTests {
    static let count = BatchWriter.parallelThreshold + 200
    let files = MemoryFiles()
    let alone = MemoryFiles()

    private func drafts(_ count: Int = LargeBatchTests.count, from start: Int = 0) -> [Draft] {
        (start..<start + count).map { number in
            let text = String(repeating: "\(number) ", count: number % 40)
            return LogSamples.draft(text, id: number % 3 == 0 ? "i\(number)" : nil)
        }
    }

    private func create(_ files: MemoryFiles, _ layout: LogLayout = .file) throws -> EventLog {
        try LogSamples.create(in: files, layout: layout, chained: true)
    }

    /// The bytes of the log, without the lock file.
    private func bytes(_ files: MemoryFiles) -> [String: [UInt8]] {
        files.paths.filter { $0.hasSuffix(".jsonl") }
            .reduce(into: [:]) { $0[$1] = files[$1] ?? [] }
    }

    /// Appends the drafts in small batches.
    private func inSmallBatches(_ drafts: [Draft], _ log: EventLog) throws -> [Appended] {
        try stride(from: 0, to: drafts.count, by: 100).flatMap { start in
            try log.append(Array(drafts[start..<min(start + 100, drafts.count)]))
        }
    }

    @Test(arguments: [-1, 0, 1, 200])
    func `bytes and results equal those of small batches`(_ more: Int) throws {
        let drafts = drafts(BatchWriter.parallelThreshold + more)
        let log = try create(files)
        files.heal()
        let answers = try log.append(drafts)
        #expect(files.trace.filter { $0 == .append }.count == 1)
        #expect(files.trace == [.status, .overwrite, .syncFile, .append, .syncFile, .overwrite])
        #expect(try inSmallBatches(drafts, try create(alone)) == answers)
        #expect(bytes(files) == bytes(alone))
        log.close()
        #expect(try LogSamples.open(in: files).openingReport.isSound)
    }

    @Test func `ids are known within the batch and in the log`() throws {
        let log = try create(files)
        try log.append(LogSamples.draft("", id: "i0"))
        var drafts = drafts()
        drafts.append(drafts[300])
        drafts.append(LogSamples.draft("after"))
        let answers = try log.append(drafts)
        let there = answers.indices.filter { answers[$0].outcome == .alreadyThere }
        #expect(there == [0, LargeBatchTests.count])
        #expect(answers[0].seq == 2)
        #expect(answers[LargeBatchTests.count].seq == answers[300].seq)
        #expect(answers[LargeBatchTests.count].line == answers[300].line)
        #expect(answers.last?.seq == Int64(LargeBatchTests.count) + 2)
        let again = try log.append(drafts.filter { $0.id != nil })
        #expect(again.allSatisfy { $0.outcome == .alreadyThere })
        log.close()
        #expect(try LogSamples.open(in: files).openingReport.isSound)
    }

    @Test(arguments: [0, 1, 400, LargeBatchTests.count - 1])
    func `one refused event refuses the whole batch`(_ place: Int) throws {
        let log = try create(files)
        let before = bytes(files)
        var drafts = drafts()
        drafts[place] = Draft(at: LogSamples.now, .logOpened(LogOpened(schema: 1)))
        #expect(throws: EventLogError.openedAgain(draft: place)) { try log.append(drafts) }
        drafts[place] = LogSamples.draft(String(repeating: "x", count: 5_000))
        #expect(throws: EventLogError.self) { try log.append(drafts) }
        #expect(bytes(files) == before)
        drafts[place] = LogSamples.draft("right")
        #expect(try log.append(drafts).last?.seq == Int64(drafts.count) + 1)
        log.close()
        #expect(try LogSamples.open(in: files).openingReport.isSound)
    }

    @Test func `a refused request leaves nothing in the batch`() throws {
        try create(files).close()
        let opened = try OpenedFiles.open(at: LogSamples.path, operations: files)
        var scan = OpeningScan(path: LogSamples.path)
        try scan.run(opened.store, mark: nil)
        var appender = Appender(opened, durability: .disk, segmentSize: .max, scan)
        let again = Draft(at: LogSamples.now, .logOpened(LogOpened(schema: 1)))
        let requests = [drafts(), drafts(400, from: 5_000) + [again], drafts(300, from: 9_000)]
        let answers = appender.append(requests.map { AppendRequest(drafts: $0) })
        appender.finish()
        #expect(answers[1] == .failure(.openedAgain(draft: 400)))
        let taken = try answers[0].get() + answers[2].get()
        #expect(try inSmallBatches(requests[0] + requests[2], try create(alone)) == taken)
        #expect(bytes(files) == bytes(alone))
    }

    @Test func `a batch longer than a segment starts the next one`() throws {
        let layout = LogLayout.segments(size: 3_000)
        let log = try create(files, layout)
        let drafts = drafts()
        let first = try log.append(Array(drafts[..<3]))
        let answers = try log.append(Array(drafts[3...]))
        #expect(files.paths.filter { $0.hasPrefix(LogSamples.path + "/0") }.count == 2)
        #expect(try inSmallBatches(drafts, try create(alone)) == first + answers)
        log.close()
        let again = try LogSamples.open(in: files)
        #expect(again.openingReport.isSound)
        #expect(again.openingReport.events == Int64(drafts.count) + 1)
    }

    @Test func `a failed write is cut back, and the batch can be retried`() throws {
        let log = try create(files)
        let before = bytes(files)
        files.plan { call, number in
            guard call == .append else { return nil }
            return number == 0 ? .short(40_000) : .fail(ENOSPC)
        }
        #expect(throws: EventLogError.self) { try log.append(drafts()) }
        files.heal()
        #expect(bytes(files) == before)
        let answers = try log.append(drafts())
        #expect(try inSmallBatches(drafts(), try create(alone)) == answers)
        #expect(bytes(files) == bytes(alone))
    }

    @Test func `a failed sync is final, and unacknowledged events are recovered`() throws {
        let log = try create(files)
        // The first sync is that of the mark.
        files.plan { call, number in call == .syncFile && number > 0 ? .fail(EIO) : nil }
        #expect(throws: EventLogError.self) { try log.append(drafts()) }
        files.heal()
        #expect(throws: EventLogError.self) { try log.append(LogSamples.draft("later")) }
        let answers = try log.recover()
        #expect(try inSmallBatches(drafts(), try create(alone)) == answers)
        files.losePower()
        #expect(bytes(files) == bytes(alone))
    }

    @Test func `an unchained log accepts a large batch`() throws {
        let log = try LogSamples.create(in: files)
        let answers = try log.append(drafts())
        #expect(try inSmallBatches(drafts(), try LogSamples.create(in: alone)) == answers)
        #expect(bytes(files) == bytes(alone))
    }
}
