import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents

/// A failed sync is final for its file; the log continues in another file.
struct FailedSyncTests {
    static let layouts = [LogLayout.file, .segments(size: 100_000)]
    let files = MemoryFiles()

    private func create(_ layout: LogLayout) throws -> EventLog {
        try LogSamples.create(in: files, layout: layout, chained: true)
    }

    private func failSync() {
        files.plan { call, _ in call == .syncFile ? .fail(EIO) : nil }
    }

    @Test(arguments: layouts)
    func `unacknowledged events are appended again in a new file`(_ layout: LogLayout) throws {
        let log = try create(layout)
        try log.append(LogSamples.draft("a"))
        failSync()
        #expect(throws: EventLogError.self) { try log.append(LogSamples.draft("b", id: "x")) }
        #expect(throws: EventLogError.self) { try log.recover() }
        files.heal()
        #expect(throws: EventLogError.self) { try log.append(LogSamples.draft("c")) }
        let answers = try log.recover()
        #expect(answers.map(\.seq) == [3])
        #expect(try log.append(LogSamples.draft("b", id: "x")).outcome == .alreadyThere)
        #expect(try log.append(LogSamples.draft("c")).seq == 4)
        files.losePower()
        log.close()
        let again = try LogSamples.open(in: files)
        #expect(again.openingReport.isSound)
        #expect(try LogSamples.texts(of: again) == ["1 log.opened", "2 a", "3 b", "4 c"])
    }

    @Test func `the new segment starts at the last durable offset`() throws {
        let log = try create(.segments(size: 100_000))
        let good = try log.append(LogSamples.draft("a")).line.count + 1
        let start = try #require(files["\(LogSamples.path)/\(SegmentName(start: 0).text)"]).count
        #expect(start > good)
        files.plan { call, _ in call == .syncFile || call == .setSize ? .fail(EIO) : nil }
        #expect(throws: EventLogError.self) { try log.append(LogSamples.draft("b")) }
        files.heal()
        try log.recover()
        let next = "\(LogSamples.path)/\(SegmentName(start: Int64(start)).text)"
        #expect(files.text(next)?.contains(#""text":"b""#) == true)
        // What the failed sync left in the previous file isn't part of the log.
        #expect(files["\(LogSamples.path)/\(SegmentName(start: 0).text)"]?.count ?? 0 > start)
        log.close()
        #expect(try LogSamples.open(in: files).openingReport.events == 3)
    }

    @Test(arguments: layouts)
    func `a reader continues into the new file`(_ layout: LogLayout) throws {
        let log = try create(layout)
        let reader = try EventReader(at: LogSamples.path, operations: files)
        try log.append(LogSamples.draft("a"))
        #expect(try LogSamples.entries(reader).count == 2)
        failSync()
        #expect(throws: EventLogError.self) { try log.append(LogSamples.draft("b")) }
        files.heal()
        try log.recover()
        try log.append(LogSamples.draft("c"))
        #expect(LogSamples.texts(try LogSamples.entries(reader)) == ["3 b", "4 c"])
    }

    @Test(arguments: layouts)
    func `a recovery can be repeated after a failure anywhere`(_ layout: LogLayout) throws {
        for call in FileCall.allCases {
            for number in 0..<3 {
                let files = MemoryFiles()
                let log = try LogSamples.create(in: files, layout: layout)
                failSync(files)
                _ = try? log.append([LogSamples.draft("a", id: "x"), LogSamples.draft("b")])
                files.plan { $0 == call && $1 == number ? .fail(ENOSPC) : nil }
                _ = try? log.recover()
                files.heal()
                try log.recover()
                #expect(try log.append(LogSamples.draft("c")).seq == 4, "\(call) \(number)")
                files.losePower()
                log.close()
                let again = try LogSamples.open(in: files)
                #expect(again.openingReport.isSound, "\(call) \(number)")
                #expect(again.openingReport.events == 4, "\(call) \(number)")
            }
        }
    }

    /// The first sync is that of the mark in the lock file, not of the log.
    private func failSync(_ files: MemoryFiles) {
        files.plan { call, number in call == .syncFile && number > 0 ? .fail(EIO) : nil }
    }

    @Test(arguments: layouts)
    func `the next writer rewrites what a failed sync left in memory`(
        _ layout: LogLayout
    ) throws {
        let log = try create(layout)
        try log.append(LogSamples.draft("a"))
        // Even unacknowledged bytes can't be removed.
        files.plan { call, _ in call == .syncFile || call == .setSize ? .fail(EIO) : nil }
        #expect(throws: EventLogError.self) { try log.append(LogSamples.draft("b")) }
        files.heal()
        files.loseProcess()
        let next = try LogSamples.open(in: files)
        #expect(try next.append(LogSamples.draft("c")).seq == 4)
        files.losePower()
        let again = try LogSamples.open(in: files)
        #expect(again.openingReport.isSound)
        #expect(try LogSamples.texts(of: again) == ["1 log.opened", "2 a", "3 b", "4 c"])
    }

    @Test func `only the end of a long log is rewritten, and nothing after a close`() throws {
        func overwrites(_ body: () throws -> Void) rethrows -> Int {
            files.heal()
            try body()
            return files.trace.count { $0 == .overwrite }
        }
        let log = try create(.file)
        let text = String(repeating: "a", count: 4_000)
        for _ in 0..<300 { try log.append(LogSamples.draft(text)) }
        let size = files[LogSamples.path]?.count ?? 0
        let note = WriterNote(try #require(files[WriterLock.path(ofLog: LogSamples.path)]))
        #expect(try #require(note.mark).durable > 1 << 20 && size > 1 << 20)
        files.loseProcess()
        let afterCrash = try overwrites { try LogSamples.open(in: files).close() }
        let afterClose = try overwrites { try LogSamples.open(in: files).close() }
        #expect(afterCrash == afterClose + 1)
    }

    @Test func `an intact log has nothing to recover`() throws {
        let log = try create(.file)
        files.heal()
        #expect(try log.recover().isEmpty)
        #expect(files.trace.isEmpty)
    }

    @Test func `events of durability process are kept in the new file`() throws {
        let log = try LogSamples.create(
            in: files, durability: .process, layout: .segments(size: 100_000))
        try log.append(LogSamples.draft("a"))
        try log.sync()
        try log.append(LogSamples.draft("b"))
        failSync()
        #expect(throws: EventLogError.self) { try log.sync() }
        files.heal()
        #expect(try log.recover().isEmpty)
        files.losePower()
        log.close()
        let again = try LogSamples.open(in: files)
        #expect(try LogSamples.texts(of: again) == ["1 log.opened", "2 a", "3 b"])
    }
}
