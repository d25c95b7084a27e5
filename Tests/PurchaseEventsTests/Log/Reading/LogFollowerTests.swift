import TestSupport
import Testing

@testable import PurchaseEvents

/// A clock whose sleep performs the next step of a script. At the end of the script it throws, as a
/// clock does when its task is cancelled.
final class ScriptClock: Clock, Sendable {
    let now = ContinuousClock.Instant.now
    let minimumResolution = Duration.zero
    private let steps: Protected<[@Sendable () throws -> Void]>

    init(_ steps: [@Sendable () throws -> Void]) { self.steps = Protected(steps.reversed()) }

    func sleep(
        until deadline: ContinuousClock.Instant, tolerance: Duration?
    ) async throws {
        guard let step = steps.withLock({ $0.popLast() }) else { throw CancellationError() }
        try step()
    }
}

struct LogFollowerTests {
    @Test func `lines of another writer are followed`() async throws {
        let folder = try TemporaryFolder()
        let log = try EventLog.create(at: folder.log, recordedAt: LogSamples.now)
        let clock = ScriptClock([
            { try log.append(LogSamples.draft("a")) },
            {},
            { try log.append([LogSamples.draft("b"), LogSamples.draft("c")]) },
        ])
        var entries: [LogEntry] = []
        for try await entry in LogFollower(at: folder.log, every: .seconds(1), clock: clock) {
            entries.append(entry)
        }
        #expect(LogSamples.texts(entries) == ["1 log.opened", "2 a", "3 b", "4 c"])
    }

    @Test func `a partial line is never returned, byte by byte`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: folder.log)
        let path = folder.log
        let text = LogSamples.log("a", "b")
        let clock = ScriptClock(
            text.utf8.map { byte in { try folder.append([byte], to: path) } })
        var entries: [LogEntry] = []
        for try await entry in LogFollower(at: path, every: .seconds(1), clock: clock) {
            entries.append(entry)
        }
        #expect(LogSamples.texts(entries) == ["1 log.opened", "2 a", "3 b"])
    }

    @Test func `following continues from a position`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(LogSamples.log("a", "b"), to: folder.log)
        let reader = try EventReader(at: folder.log)
        _ = try reader.next()
        let position = try #require(try reader.next()).next
        var entries: [LogEntry] = []
        let follower = LogFollower(
            at: folder.log, from: position, every: .seconds(1), clock: ScriptClock([]))
        for try await entry in follower { entries.append(entry) }
        #expect(LogSamples.texts(entries) == ["3 b"])
    }

    @Test func `a failed write that another process cuts back is never returned`() async throws {
        let files = MemoryFiles()
        let log = try LogSamples.create(in: files)
        let clock = ScriptClock([
            {
                files.plan { call, number in
                    call == .append ? number == 0 ? .short(40) : .fail(28) : nil
                }
                _ = try? log.append(LogSamples.draft("lost"))
                files.heal()
            },
            { try log.append(LogSamples.draft("kept")) },
        ])
        var entries: [LogEntry] = []
        let follower = LogFollower(
            at: LogSamples.path, from: .start, every: .seconds(1), clock: clock,
            operations: files)
        for try await entry in follower { entries.append(entry) }
        #expect(LogSamples.texts(entries) == ["1 log.opened", "2 kept"])
    }

    @Test func `following ends with an error if the log is gone or was cut`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.log
        var iterator = LogFollower(at: path, every: .seconds(1), clock: ScriptClock([]))
            .makeAsyncIterator()
        await #expect(throws: EventLogError.noSuchLog(path: path)) {
            try await iterator.next(isolation: nil)
        }
        try folder.write(LogSamples.log("a"), to: path)
        let clock = ScriptClock([{ try folder.write("", to: path) }])
        await #expect(throws: EventLogError.self) {
            for try await _ in LogFollower(at: path, every: .seconds(1), clock: clock) {}
        }
    }

    @Test func `following ends when its task is cancelled`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(LogSamples.opened, to: folder.log)
        let path = folder.log
        let task = Task {
            var count = 0
            let follower = LogFollower(at: path, every: .seconds(3_600), clock: ContinuousClock())
            for try await _ in follower { count += 1 }
            return count
        }
        task.cancel()
        #expect(try await task.value <= 1)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a writer and its followers run side by side`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.log
        let log = try EventLog.create(
            at: path, recordedAt: LogSamples.now, durability: .process)
        let count = 300
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var next: Int64 = 1
                    let follower = LogFollower(
                        at: path, every: .milliseconds(1), clock: ContinuousClock())
                    for try await entry in follower {
                        #expect(entry.event?.seq == next)
                        next += 1
                        if next > count + 1 { break }
                    }
                }
            }
            group.addTask {
                for number in 0..<count {
                    try await log.append(LogSamples.draft("\(number)"))
                    if number % 10 == 0 { await Task.yield() }
                }
            }
            try await group.waitForAll()
        }
    }
}
