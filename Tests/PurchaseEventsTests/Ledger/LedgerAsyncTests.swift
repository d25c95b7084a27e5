import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

/// The asynchronous forms of a ledger's calls.
struct LedgerAsyncTests {
    private let me = LedgerSamples.me
    private let now = History.hour(1)

    /// Holds back a sync until it is told to go on.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let state = Protected((isReached: false, isLate: false))

        /// Whether the sync was reached.
        var isReached: Bool { state.withLock { $0.isReached } }
        /// Whether nobody told the sync to go on.
        var isLate: Bool { state.withLock { $0.isLate } }

        /// Holds back the first sync of files; the other tests may keep every thread busy for
        /// minutes.
        func close(_ files: MemoryFiles) {
            files.plan { [self] call, number in
                guard call == .syncFile, number == 0 else { return nil }
                state.withLock { $0.isReached = true }
                if semaphore.wait(timeout: .now() + 600) == .timedOut {
                    state.withLock { $0.isLate = true }
                }
                return nil
            }
        }

        func open() { semaphore.signal() }
    }

    @Test func `no thread of the task pool waits for the disk`() async throws {
        let gates = (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map { _ in Gate() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for gate in gates {
                let files = MemoryFiles()
                let ledger = try LedgerSamples.launched(in: files)
                gate.close(files)
                group.addTask { [me, now] in
                    try await ledger.record(Say.purchased("t1"), by: me, now: now)
                    try await ledger.perform(.deliver("t1"), by: me, now: now)
                }
            }
            // This needs a thread of the pool while all of them sync.
            group.addTask {
                await waitUntil { gates.allSatisfy(\.isReached) }
                for gate in gates { gate.open() }
            }
            try await group.waitForAll()
        }
        #expect(gates.allSatisfy { !$0.isLate })
    }

    @Test func `what a cancelled task asked is done and answered`() async throws {
        let files = MemoryFiles()
        let ledger = try LedgerSamples.launched(in: files)
        let gate = Gate()
        gate.close(files)
        let first = Task { [me, now] in
            try await ledger.record(Say.purchased("t1"), by: me, now: now)
        }
        await waitUntil { gate.isReached }
        let second = Task { [me, now] in try await ledger.perform(.deliver("t1"), by: me, now: now)
        }
        await waitUntil { ledger.log.queue.waitingCount == 1 }
        first.cancel()
        second.cancel()
        gate.open()
        #expect(try await first.value.outcome == .appended)
        #expect(try await second.value.map(\.outcome) == [.appended])
        #expect(try LedgerSamples.count(.deliveryDelivered, in: files) == ["t1": 1])
    }

    @Test func `tasks and threads together perform each thing once, in fewer syncs`() async throws {
        let files = MemoryFiles()
        let ledger = try LedgerSamples.launched(in: files)
        files.plan { call, _ in
            if call == .syncFile { usleep(1_000) }
            return nil
        }
        let threads = Protected(0)
        for thread in 0..<4 {
            Thread.detachNewThread { [me, now] in
                for number in 0..<10 {
                    _ = try? ledger.record(
                        Say.purchased(.init("t\(number)")), id: "e\(number)", by: me, now: now)
                    _ = try? ledger.perform(
                        .deliver(.init("t\(number)")), id: "\(thread)", by: me, now: now)
                }
                threads.withLock { $0 += 1 }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [me, now] in
                    for number in 0..<10 {
                        _ = try? await ledger.record(
                            Say.purchased(.init("t\(number)")), by: me, now: now)
                        _ = try? await ledger.perform(
                            .deliver(.init("t\(number)")), by: me, now: now)
                    }
                }
            }
        }
        await waitUntil { threads.withLock { $0 } == 4 }
        let delivered = try LedgerSamples.count(.deliveryDelivered, in: files)
        #expect(delivered.count == 10 && delivered.values.allSatisfy { $0 == 1 })
        let lines = files.text(LedgerSamples.path)?.split(separator: "\n").count ?? 0
        #expect(files.trace.count { $0 == .append } <= lines / 2)
        let state = ledger.state
        ledger.close()
        #expect(try LedgerSamples.open(in: files).state == state)
        try LedgerSamples.expectNoError(in: files)
    }
}
