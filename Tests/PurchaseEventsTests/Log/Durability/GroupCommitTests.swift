import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents

/// Concurrent appends share one write and one sync.
struct GroupCommitTests {
    let files = MemoryFiles()

    private func request(_ text: String, id: String? = nil, expecting: Int64? = nil)
        -> AppendRequest
    {
        AppendRequest(drafts: [LogSamples.draft(text, id: id)], expectedLastSeq: expecting)
    }

    private func appender(_ files: MemoryFiles, chained: Bool = false) throws -> Appender {
        try LogSamples.create(in: files, chained: chained).close()
        let opened = try OpenedFiles.open(at: LogSamples.path, operations: files)
        var scan = OpeningScan(path: LogSamples.path)
        try scan.run(opened.store, mark: nil)
        return Appender(opened, durability: .disk, segmentSize: .max, scan)
    }

    @Test func `several requests share one write and one sync, with a result each`() throws {
        var appender = try appender(files)
        files.heal()
        let answers = appender.append([
            request("a", id: "x"), request("b"), request("other", id: "x"),
            request("c", expecting: 99), request("a", id: "x"), request("d", expecting: 3),
        ])
        #expect(files.trace.filter { $0 == .append }.count == 1)
        #expect(try answers[0].get().map(\.seq) == [2])
        #expect(try answers[1].get().map(\.seq) == [3])
        #expect(answers[2] == .failure(.idConflict(draft: 0, id: "x", seq: 2)))
        #expect(answers[3] == .failure(.unexpectedSequence(expected: 99, seen: 3)))
        #expect(try answers[4].get().map(\.outcome) == [.alreadyThere])
        #expect(try answers[5].get().map(\.seq) == [4])
    }

    @Test func `a refused request leaves nothing in the batch`() throws {
        var appender = try appender(files, chained: true)
        let again = Draft(at: LogSamples.now, .logOpened(LogOpened(schema: 1)))
        let drafts = [LogSamples.draft("b"), LogSamples.draft("b", id: "x"), again]
        let refused = AppendRequest(drafts: drafts)
        let answers = appender.append([request("a"), refused, request("c", id: "x"), request("d")])
        #expect(try answers[0].get().map(\.seq) == [2])
        #expect(answers[1] == .failure(.openedAgain(draft: 2)))
        #expect(try answers[2].get().map(\.outcome) == [.appended])
        #expect(try answers[3].get().map(\.seq) == [4])
        appender.finish()
        files.losePower()
        let found = try LogSamples.open(in: files)
        #expect(found.openingReport.isSound)
        #expect(try LogSamples.texts(of: found) == ["1 log.opened", "2 a", "3 c", "4 d"])
    }

    @Test func `a failed write fails only the requests that depend on it`() throws {
        var appender = try appender(files)
        _ = appender.append([request("old", id: "old")])
        files.plan { call, _ in call == .append ? .fail(ENOSPC) : nil }
        let answers = appender.append([
            request("old", id: "old"), request("a", id: "x"), request("a", id: "x"),
        ])
        #expect(try answers[0].get().map(\.outcome) == [.alreadyThere])
        for answer in answers[1...] {
            guard case .failure(.writeFailed) = answer else {
                Issue.record("expected writeFailed, seen \(answer)")
                continue
            }
        }
        files.heal()
        #expect(try appender.append([request("a", id: "x")])[0].get().map(\.seq) == [3])
    }

    @Test func `no request is refused because of a line that a failed write removed`() throws {
        var appender = try appender(files)
        _ = appender.append([request("old", id: "old")])
        files.plan { call, _ in call == .append ? .fail(ENOSPC) : nil }
        let answers = appender.append([
            request("x", expecting: 99), request("a", id: "same"), request("b", id: "same"),
            request("c", expecting: 2), request("other", id: "old"),
        ])
        let failed = EventLogError.writeFailed(
            path: LogSamples.path, SystemError(code: ENOSPC))
        #expect(answers[0] == .failure(.unexpectedSequence(expected: 99, seen: 2)))
        for answer in answers[1...3] { #expect(answer == .failure(failed)) }
        #expect(answers[4] == .failure(.idConflict(draft: 0, id: "old", seq: 2)))
        files.heal()
        let again = appender.append([request("b", id: "same"), request("a", id: "same")])
        #expect(try again[0].get().map(\.seq) == [3])
        #expect(again[1] == .failure(.idConflict(draft: 0, id: "same", seq: 3)))
    }

    @Test func `tasks and threads append together without deadlock`() async throws {
        let log = try LogSamples.create(in: files)
        files.heal()
        let count = 40
        let seqs = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for task in 0..<16 {
                group.addTask {
                    var seqs: [Int64] = []
                    for number in 0..<count {
                        let draft = LogSamples.draft("\(task) \(number)", id: "\(task) \(number)")
                        if task % 2 == 0 {
                            seqs.append(try await log.append(draft).seq)
                        } else {
                            seqs.append(try GroupCommitTests.append(draft, to: log))
                        }
                    }
                    return seqs
                }
            }
            return try await group.reduce(into: [[Int64]]()) { $0.append($1) }
        }
        #expect(seqs.flatMap(\.self).sorted() == Array(2...Int64(16 * count) + 1))
        for own in seqs { #expect(own == own.sorted()) }
        #expect(files.trace.count { $0 == .append } <= 16 * count)
        files.losePower()
        log.close()
        #expect(try LogSamples.open(in: files).openingReport.events == Int64(16 * count) + 1)
    }

    private static func append(_ draft: Draft, to log: EventLog) throws -> Int64 {
        try log.append(draft).seq
    }

    @Test func `requests that wait during a write form the next batch`() async throws {
        let rounds = Protected<[Int]>([])
        let gate = DispatchSemaphore(value: 0)
        let queue = CommitQueue { requests in
            if rounds.withLock({ rounds in
                rounds.append(requests.count)
                return rounds.count == 1
            }) {
                gate.wait()
            }
            return requests.map { _ in .success([]) }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await queue.append(AppendRequest(drafts: [])) }
            await waitUntil { rounds.withLock({ !$0.isEmpty }) }
            for _ in 0..<7 { group.addTask { _ = await queue.append(AppendRequest(drafts: [])) } }
            await waitUntil { queue.waitingCount >= 7 }
            gate.signal()
        }
        #expect(rounds.withLock { $0 } == [1, 7])
    }

    @Test func `one waiting thread leads and answers the others`() async {
        let rounds = GatedRounds()
        let done = Protected(0)
        for number in 0..<3 {
            Thread.detachNewThread {
                let answer = GatedRounds.append(to: rounds.queue)
                if answer == .success([]) { done.withLock { $0 += 1 } }
            }
            if number == 0 { await rounds.wait(forRounds: 1) }
        }
        await waitUntil { rounds.queue.waitingCount >= 2 }
        rounds.gate.signal()
        await waitUntil { done.withLock({ $0 }) >= 3 }
        #expect(rounds.sizes == [1, 2])
    }

    @Test func `a thread leads if the scheduled task can't run`() async {
        let rounds = GatedRounds()
        let done = Protected(0)
        Thread.detachNewThread { _ = GatedRounds.append(to: rounds.queue) }
        await rounds.wait(forRounds: 1)
        rounds.startTask(done)
        await waitUntil { rounds.queue.waitingCount >= 1 }
        rounds.gate.signal()
        // One was asked to lead and is held.
        await waitUntil { rounds.heldCount >= 1 }
        Thread.detachNewThread {
            _ = GatedRounds.append(to: rounds.queue)
            done.withLock { $0 += 1 }
        }
        await waitUntil { done.withLock({ $0 }) >= 2 }
        #expect(rounds.sizes == [1, 2])
        rounds.runHeld()
        #expect(rounds.queue.waitingCount == 0 && rounds.sizes == [1, 2])
    }

    /// The state after two tasks were answered together.
    private func pair(_ done: Protected<Int>) async -> GatedRounds {
        let rounds = GatedRounds()
        // Use a thread to wait at the gate, because the task pool has few threads.
        Thread.detachNewThread { _ = GatedRounds.append(to: rounds.queue) }
        await rounds.wait(forRounds: 1)
        for _ in 0..<2 { rounds.startTask(done) }
        await waitUntil { rounds.queue.waitingCount >= 2 }
        rounds.gate.signal()
        await waitUntil { rounds.heldCount >= 1 }
        rounds.runHeld()
        await waitUntil { done.withLock({ $0 }) >= 2 }
        #expect(rounds.sizes == [1, 2])
        return rounds
    }

    @Test func `tasks answered together are written together again`() async {
        let done = Protected(0)
        let rounds = await pair(done)
        rounds.startTask(done)
        await waitUntil { rounds.heldCount >= 1 }
        #expect(rounds.queue.waitingCount == 1 && rounds.sizes == [1, 2])
        rounds.startTask(done)
        await waitUntil { done.withLock({ $0 }) >= 4 }
        #expect(rounds.sizes == [1, 2, 2])
    }

    @Test func `a round doesn't wait for tasks that don't return`() async {
        let done = Protected(0)
        let rounds = await pair(done)
        rounds.startTask(done)
        await waitUntil { rounds.heldCount >= 1 }
        rounds.runHeld()
        await waitUntil { done.withLock({ $0 }) >= 3 }
        #expect(rounds.sizes == [1, 2, 1])
    }

    @Test func `no task is waited for longer than a round takes`() async {
        let done = Protected(0)
        let rounds = await pair(done)
        rounds.passTime()
        rounds.startTask(done)
        await waitUntil { done.withLock({ $0 }) >= 3 }
        #expect(rounds.heldCount == 0 && rounds.sizes == [1, 2, 1])
    }
}

/// Waits until a condition holds, and records an issue if it doesn't although nothing else runs.
func waitUntil(
    sourceLocation: SourceLocation = #_sourceLocation, _ holds: () -> Bool
) async {
    let start = ContinuousClock.now
    var turns = 0
    while !holds() {
        await Task.yield()
        turns += 1
        // Require both many turns and much time, for busy and for quiet machines.
        guard turns < 1_000_000 || start.duration(to: .now) < .seconds(600) else {
            Issue.record("what was waited for did not come", sourceLocation: sourceLocation)
            return
        }
    }
}

/// A queue whose first round waits at a gate. On its clock each round takes a second, and scheduled
/// tasks are held until they are run.
private final class GatedRounds: Sendable {
    let gate = DispatchSemaphore(value: 0)
    let queue: CommitQueue
    private let rounds: Protected<[Int]>
    private let time: Protected<ContinuousClock.Instant>
    private let held: Protected<[@Sendable () -> Void]>

    init() {
        let rounds = Protected<[Int]>([])
        let time = Protected(ContinuousClock.now)
        let held = Protected<[@Sendable () -> Void]>([])
        let gate = gate
        (self.rounds, self.time, self.held) = (rounds, time, held)
        let environment = CommitEnvironment(
            now: { time.withLock { $0 } },
            start: { _, act in held.withLock { $0.append(act) } })
        queue = CommitQueue(in: environment) { requests in
            let isFirst = rounds.withLock { rounds in
                rounds.append(requests.count)
                return rounds.count == 1
            }
            if isFirst { gate.wait() }
            time.withLock { $0 += .seconds(1) }
            return requests.map { _ in .success([]) }
        }
    }

    /// The number of requests in each round.
    var sizes: [Int] { rounds.withLock { $0 } }

    /// The number of held tasks.
    var heldCount: Int { held.withLock { $0.count } }

    /// Runs the held tasks.
    func runHeld() {
        let acts = held.withLock { held in
            defer { held = [] }
            return held
        }
        for act in acts { act() }
    }

    /// Advances the clock by more than a round takes.
    func passTime() { time.withLock { $0 += .seconds(2) } }

    func wait(forRounds count: Int) async {
        await waitUntil { sizes.count >= count }
    }

    /// Appends in a new task, and counts the answers.
    func startTask(_ done: Protected<Int>) {
        Task {
            if await queue.append(AppendRequest(drafts: [])) == .success([]) {
                done.withLock { $0 += 1 }
            }
        }
    }

    /// Appends on this thread.
    static func append(to queue: CommitQueue) -> CommitQueue.Answer {
        queue.append(AppendRequest(drafts: []))
    }
}
