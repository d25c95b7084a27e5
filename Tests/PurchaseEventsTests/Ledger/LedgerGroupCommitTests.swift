import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

/// Concurrent calls of a ledger share one write and one sync, and fail together.
struct LedgerGroupCommitTests {
    private typealias State = PurchaseState<Fingerprinted>

    /// The states before and after ``LedgerRound/purchase``.
    private let before: State, after: State

    init() throws {
        let ledger = try LedgerRound.ledger(in: MemoryFiles())
        before = ledger.state
        _ = LedgerRound.commit(LedgerRound.purchase, to: ledger)
        after = ledger.state
    }

    @Test func `a round is one write, and each request is decided on top of the others`() throws {
        let files = MemoryFiles()
        let ledger = try LedgerRound.ledger(in: files)
        files.heal()
        let answers = LedgerRound.commit(LedgerRound.purchase, to: ledger)
        #expect(files.trace.count { $0 == .append } == 1)
        let outcomes = answers.map { (try? $0.get())?.map(\.outcome) }
        #expect(
            outcomes == [
                [.appended], [.appended], nil, [.appended], [.alreadyThere], [.appended], nil,
            ])
        #expect(answers[2] == .failure(.refused(.deliveredAlready)))
        #expect(answers[6] == .failure(.refused(.unpaid)))
        #expect(ledger.phase(of: "t1" as TransactionID<Written>) == .finished)
        try LedgerSamples.expectNoError(in: files)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `rounds of any size decide like requests one at a time`(_ seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let alone = MemoryFiles(), together = MemoryFiles()
        let first = try LedgerRound.ledger(in: alone), second = try LedgerRound.ledger(in: together)
        for _ in 0..<12 {
            let requests = (0..<1 + dice.below(8)).map { _ in LedgerRound.random(&dice) }
            let expected = requests.flatMap { LedgerRound.commit([$0], to: first) }
            #expect(LedgerRound.commit(requests, to: second) == expected)
        }
        #expect(alone.text(LedgerSamples.path) == together.text(LedgerSamples.path))
        #expect(first.state == second.state)
        second.close()
        #expect(try LedgerSamples.open(in: together).state == first.state)
    }

    // MARK: Failures

    private enum Way: CaseIterable { case once, kindFromThenOn, allFromThenOn }

    @Test func `whatever call fails, the state is that of the durable lines`() throws {
        var failures = 0
        for call in FileCall.allCases {
            for way in Way.allCases {
                for code in [EIO, ENOSPC] {
                    var number = 0
                    while try fail(call, number, way, code) { number += 1 }
                    failures += number
                }
            }
        }
        #expect(failures >= 30)
    }

    /// Whether there was such a call, so that it failed.
    private func fail(_ call: FileCall, _ number: Int, _ way: Way, _ code: Int32) throws -> Bool {
        let files = MemoryFiles()
        let ledger = try LedgerRound.ledger(in: files)
        let hasFailed = Protected(false)
        files.plan { kind, count in
            let isPlace = kind == call && count == number
            let fails =
                hasFailed.withLock { hasFailed in
                    if isPlace { hasFailed = true }
                    return hasFailed
                        && (isPlace || way == .allFromThenOn
                            || way == .kindFromThenOn && kind == call)
                }
            return fails ? .fail(code) : nil
        }
        let answers = LedgerRound.commit(LedgerRound.purchase, to: ledger)
        files.heal()
        let comment: Comment = "\(call) \(number) \(way) \(code)"
        let isDurable = try check(answers, comment)
        let phase = ledger.phase(of: "t1" as TransactionID<Written>)
        #expect(phase == (isDurable ? .finished : .unseen), comment)
        // Where only one call failed, the log could be read again.
        if way == .once { #expect(ledger.state == (isDurable ? after : before), comment) }

        let again = LedgerRound.commit(LedgerRound.purchase, to: ledger)
        if case .failure(.log(.latched)) = again[0] {
            #expect(!isDurable, comment)
        } else {
            _ = try check(again, comment)
            #expect(ledger.state == after, comment)
        }
        ledger.close()
        files.losePower()
        try finish(files, acknowledged: isDurable, comment)
        return hasFailed.withLock { $0 }
    }

    /// Checks that the requests succeeded together or failed together; returns which.
    private func check(_ answers: [CommitQueue.Answer], _ comment: Comment) throws -> Bool {
        let isDurable = (try? answers[0].get()) != nil
        for number in [1, 3, 5] {
            #expect(((try? answers[number].get()) != nil) == isDurable, comment)
        }
        // What was refused because of a line that isn't there fails with that line.
        switch answers[2] {
        case .failure(.refused): #expect(isDurable, comment)
        case .failure(.log): #expect(!isDurable, comment)
        case .success: Issue.record("the delivery was made twice: \(comment)")
        }
        return isDurable
    }

    /// Opens the log again, and repeats everything: it is done once.
    private func finish(
        _ files: MemoryFiles, acknowledged: Bool, _ comment: Comment
    ) throws {
        let ledger = try LedgerSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        let answers = LedgerRound.commit(LedgerRound.purchase, to: ledger)
        #expect(try answers[4].get().map(\.outcome) == [.alreadyThere], comment)
        for number in [0, 1, 3, 5] {
            let outcome = try answers[number].get().map(\.outcome)
            if acknowledged { #expect(outcome == [.alreadyThere], comment) }
        }
        #expect(ledger.state == after, comment)
        #expect(try LedgerSamples.count(.deliveryDelivered, in: files) == ["t1": 1], comment)
        try LedgerSamples.expectNoError(in: files, "\(comment)")
    }

    @Test func `after a crash anywhere in a round, repeating it does each thing once`() throws {
        let files = MemoryFiles()
        let ledger = try LedgerRound.ledger(in: files)
        let images = Protected<[FileImage]>([])
        files.watch { call, image in
            if call.changes { images.withLock { $0.append(image) } }
        }
        _ = LedgerRound.commit(LedgerRound.purchase, to: ledger)
        files.watch(nil)
        images.withLock { $0.append(files.image) }
        let all = images.withLock { $0 }
        #expect(all.count >= 4)
        var dice = Dice(seed: 1)
        for (number, image) in all.enumerated() {
            for crash in CrashKind.allCases {
                for _ in 0..<4 {
                    try finish(
                        MemoryFiles(image.after(crash, &dice)),
                        acknowledged: number == all.count - 1, "\(crash) after call \(number)")
                }
            }
        }
    }
}
