import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport

/// Measures the durable calls per second of a ledger, on the disk and where a sync takes 3 ms.
///
/// Half of the calls record a purchase, and half deliver one.
struct LedgerTimes {
    private static let syncMicroseconds: UInt32 = 3_000
    private static let now = Timestamp(milliseconds: 1_767_225_600_000)
    private static let me = Session(
        account: "2f9c7b1e-0d43-4a51-9f0e-6a7d3c8b5e12", device: "phone-1")

    private let folder: URL
    private let events: Int

    init(folder: String, events: Int) {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        self.events = events
    }

    /// Prints one line per way of calling: its name, a tab, and calls per second.
    func print() async throws {
        Swift.print("calls\tcalls/s")
        for isSlow in [false, true] {
            let place = isSlow ? "a sync of 3 ms" : "the disk"
            let count = isSlow ? events / 8 : events
            for tasks in [1, 8] {
                let name = "\(tasks) \(tasks == 1 ? "task" : "tasks"), \(place)"
                try await row(name, count, isSlow) { ledger in
                    try await LedgerTimes.call(ledger, count, tasks)
                }
            }
            try await row("8 blocked threads, \(place)", count, isSlow) { ledger in
                LedgerTimes.block(ledger, count, threads: 8)
            }
        }
    }

    private static func call(
        _ ledger: PurchaseLedger, _ count: Int, _ tasks: Int
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in stride(from: task, to: count / 2, by: tasks) {
                        let purchase = purchase(number)
                        try await ledger.record(.queuePurchased(purchase), by: me, now: now)
                        try await ledger.perform(
                            .deliver(purchase.transaction), by: me, now: now)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func block(_ ledger: PurchaseLedger, _ count: Int, threads: Int) {
        let done = DispatchGroup()
        for thread in 0..<threads {
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                for number in stride(from: thread, to: count / 2, by: threads) {
                    let purchase = purchase(number)
                    _ = try? ledger.record(.queuePurchased(purchase), by: me, now: now)
                    _ = try? ledger.perform(.deliver(purchase.transaction), by: me, now: now)
                }
            }
        }
        done.wait()
    }

    private static func purchase(_ number: Int) -> QueuePurchased<Written> {
        QueuePurchased(
            transaction: .init(String(4_700_000_000_000_000 + number)),
            product: "com.example.lives.5", quantity: 1, purchasedAt: now)
    }

    private func row(
        _ name: String, _ count: Int, _ isSlow: Bool,
        _ call: (PurchaseLedger) async throws -> Void
    ) async throws {
        let path = folder.appending(path: "\(UUID().uuidString).jsonl").path
        let ledger =
            isSlow
            ? try slow(path)
            : try PurchaseLedger.create(
                at: path, now: LedgerTimes.now)
        try await ledger.perform(.launch, by: LedgerTimes.me, now: LedgerTimes.now)
        let start = ContinuousClock.now
        try await call(ledger)
        let seconds = start.duration(to: .now) / .seconds(1)
        ledger.close()
        if !isSlow { try FileManager.default.removeItem(atPath: path) }
        Swift.print("\(name)\t\(Int(Double(count) / seconds))")
    }

    /// A ledger in memory, each of whose syncs takes as long as that of a slow disk.
    private func slow(_ path: String) throws -> PurchaseLedger {
        let files = MemoryFiles()
        try EventLog.create(
            at: path, app: nil, writer: nil, recordedAt: LedgerTimes.now, durability: .disk,
            operations: files
        ).close()
        files.plan { call, _ in
            if call == .syncFile { usleep(LedgerTimes.syncMicroseconds) }
            return nil
        }
        return try PurchaseLedger { () throws(EventLogError) in
            try EventLog.openFolding(
                at: path, durability: .disk, tornTail: .refuse, operations: files)
        }
    }
}
