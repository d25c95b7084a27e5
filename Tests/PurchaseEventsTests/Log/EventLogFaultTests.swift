import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents

struct EventLogFaultTests {
    let files = MemoryFiles()

    @Test func `short writes are continued`() throws {
        let log = try LogSamples.create(in: files)
        files.plan { call, _ in call == .append ? .short(7) : nil }
        try log.append([LogSamples.draft("a"), LogSamples.draft("b")])
        #expect(files.text(LogSamples.path) == LogSamples.log("a", "b"))
    }

    @Test func `interrupted calls are repeated`() throws {
        files.plan { _, number in number % 3 < 2 ? .fail(EINTR) : nil }
        let log = try LogSamples.create(in: files)
        try log.append(LogSamples.draft("a"))
        log.close()
        let again = try LogSamples.open(in: files)
        #expect(again.openingReport.events == 2)
        #expect(try LogSamples.texts(of: again) == ["1 log.opened", "2 a"])
    }

    @Test func `a call that is always interrupted is an error, not a hang`() throws {
        let log = try LogSamples.create(in: files)
        files.plan { call, _ in call == .append ? .fail(EINTR) : nil }
        #expect(
            throws: EventLogError.writeFailed(
                path: LogSamples.path, SystemError(code: EINTR))
        ) { try log.append(LogSamples.draft("a")) }
    }

    @Test func `a device that accepts no byte is an error, not a hang`() throws {
        let log = try LogSamples.create(in: files)
        files.plan { call, _ in call == .append ? .short(0) : nil }
        #expect(
            throws: EventLogError.writeFailed(path: LogSamples.path, SystemError(code: EIO))
        ) { try log.append(LogSamples.draft("a")) }
    }

    @Test func `a full disk is cut back, and appending works once there is room`() throws {
        let log = try LogSamples.create(in: files)
        try log.append(LogSamples.draft("a"))
        // Room for the first line of the batch and part of the second.
        files.plan { call, number in
            guard call == .append else { return nil }
            return number == 0 ? .short(100) : .fail(ENOSPC)
        }
        #expect(
            throws: EventLogError.writeFailed(path: LogSamples.path, SystemError(code: ENOSPC))
        ) { try log.append([LogSamples.draft("b", id: "x"), LogSamples.draft("c")]) }
        #expect(files.text(LogSamples.path) == LogSamples.log("a"))
        #expect(files.trace.suffix(3) == [.setSize, .syncFile, .overwrite])
        files.heal()
        #expect(try log.append(LogSamples.draft("b", id: "x")).outcome == .appended)
        #expect(try log.lastSeq == 3)
        log.close()
        #expect(try LogSamples.open(in: files).openingReport.isSound)
    }

    @Test func `a write that can't be cut back latches the log`() throws {
        let log = try LogSamples.create(in: files)
        files.plan { call, number in
            switch call {
            case .append: number == 0 ? .short(10) : .fail(ENOSPC)
            case .setSize: .fail(EIO)
            default: nil
            }
        }
        let latched = EventLogError.latched(path: LogSamples.path, SystemError(code: EIO))
        #expect(throws: latched) { try log.append(LogSamples.draft("a")) }
        files.heal()
        #expect(throws: latched) { try log.append(LogSamples.draft("a")) }
        #expect(files.trace.isEmpty)
        log.close()
        let again = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        #expect(again.openingReport.cuts.map(\.tail.length) == [10])
        #expect(try again.append(LogSamples.draft("a")).seq == 3)
    }

    @Test func `a failed sync is final`() throws {
        let log = try LogSamples.create(in: files)
        files.plan { call, _ in call == .syncFile ? .fail(EIO) : nil }
        let error = SystemError(code: EIO)
        #expect(throws: EventLogError.syncFailed(path: LogSamples.path, error)) {
            try log.append(LogSamples.draft("a", id: "x"))
        }
        files.heal()
        let latched = EventLogError.latched(path: LogSamples.path, error)
        #expect(throws: latched) { try log.append(LogSamples.draft("a", id: "x")) }
        #expect(throws: latched) { try log.append(LogSamples.draft("b")) }
        #expect(throws: latched) { try log.sync() }
        #expect(files.trace.isEmpty)
        // The next writer doesn't find in memory what never reached the disk.
        log.close()
        let again = try LogSamples.open(in: files)
        #expect(try again.append(LogSamples.draft("a", id: "x")).outcome == .appended)
        files.losePower()
        #expect(
            files.text(LogSamples.path) == LogSamples.opened + LogSamples.line(2, "a", id: "x"))
    }

    @Test func `unsynced lines of a dead writer are synced before they count`() throws {
        files[LogSamples.path] = Array(LogSamples.opened.utf8)
        let dead = try LogSamples.open(in: files, durability: .process)
        try dead.append(LogSamples.draft("a", id: "x"))
        files.loseProcess()
        let log = try LogSamples.open(in: files)
        #expect(try log.append(LogSamples.draft("a", id: "x")).outcome == .alreadyThere)
        files.losePower()
        #expect(
            files.text(LogSamples.path) == LogSamples.opened + LogSamples.line(2, "a", id: "x"))
    }

    @Test func `a file changed by something else isn't written`() throws {
        let log = try LogSamples.create(in: files)
        let size = Int64(LogSamples.opened.utf8.count)
        files[LogSamples.path] = Array((LogSamples.opened + "x").utf8)
        #expect(
            throws: EventLogError.changedOutside(
                path: LogSamples.path, expected: size, seen: size + 1)
        ) { try log.append(LogSamples.draft("a")) }
        files[LogSamples.path] = Array(LogSamples.opened.utf8)
        #expect(try log.append(LogSamples.draft("a")).seq == 2)
        files[LogSamples.path] = nil
        #expect(throws: EventLogError.self) { try log.append(LogSamples.draft("b")) }
    }

    @Test func `creating a log can be repeated after a failure anywhere`() throws {
        for call in FileCall.allCases {
            for number in 0..<4 {
                let files = MemoryFiles()
                files.plan { $0 == call && $1 == number ? .fail(EIO) : nil }
                if (try? LogSamples.create(in: files)) != nil { continue }
                files.heal()
                #expect(files.openCount == 0, "\(call) \(number)")
                let isWhole = files.text(LogSamples.path) == LogSamples.opened
                let log =
                    isWhole
                    ? try LogSamples.open(in: files) : try LogSamples.create(in: files)
                #expect(try log.append(LogSamples.draft("a")).seq == 2, "\(call) \(number)")
            }
        }
    }

    @Test func `no failing call while appending or opening loses an acknowledged event`() throws {
        var faults = 0
        for call in FileCall.allCases {
            for code in [EIO, ENOSPC, EINTR, EDQUOT] {
                // After the last call of a kind nothing fails, so stop there.
                let last = try (0..<30).first { try !checkOneFault(call, $0, code) } ?? 30
                faults += last
            }
        }
        #expect(faults > 400)
    }

    /// Whether there was such a call, so that it failed.
    private func checkOneFault(_ call: FileCall, _ number: Int, _ code: Int32) throws -> Bool {
        let files = LogSamples.files(LogSamples.opened + "torn")
        let hasFailed = Protected(false)
        files.plan {
            guard $0 == call, $1 == number else { return nil }
            hasFailed.withLock { $0 = true }
            return .fail(code)
        }
        var acknowledged: Set<String> = []
        for attempt in 0..<4 {
            guard
                let log = try? LogSamples.open(
                    in: files, tornTail: .cut(recordedAt: LogSamples.now))
            else { continue }
            for text in 0..<4 {
                let name = "\(attempt) \(text)"
                if (try? log.append(LogSamples.draft(name, id: name))) != nil {
                    acknowledged.insert(name)
                }
            }
        }
        let comment: Comment = "\(call) \(number) \(code)"
        #expect(acknowledged.count > 4, comment)
        #expect(files.openCount == 0, comment)
        files.losePower()
        files.heal()
        let log = try LogSamples.open(in: files)
        #expect(log.openingReport.isSound, comment)
        for name in acknowledged {
            let answer = try log.append(LogSamples.draft(name, id: name))
            #expect(answer.outcome == .alreadyThere, comment)
        }
        #expect(files.paths.contains { files.text($0) == "torn" }, comment)
        return hasFailed.withLock { $0 }
    }
}
