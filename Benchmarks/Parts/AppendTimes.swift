import Foundation
import PurchaseEvents

/// Measures the durable appends per second of a log, for several ways of appending.
struct AppendTimes {
    private let folder: URL
    private let events: Int

    init(folder: String, events: Int) {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        self.events = events
    }

    /// Prints one line per way of appending: its name, a tab, and events per second.
    func print() async throws {
        Swift.print("way\tevents/s")
        // Create the drafts in advance, so that only appending is timed.
        let drafts = (0..<events).map(draft)
        try await row("one at a time", events) { log in
            for draft in drafts { try log.append(draft) }
        }
        try await row("one at a time, unchained", events, chained: false) { log in
            for draft in drafts { try log.append(draft) }
        }
        try await row("8 tasks at once", events) { log in
            let share = events / 8
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for draft in drafts[task * share..<(task + 1) * share] {
                            _ = try await log.append(draft)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let many = 500_000
        let batches = stride(from: 0, to: many, by: 10_000).map { start in
            (start..<start + 10_000).map(draft)
        }
        try await row("in batches of 10,000", many) { log in
            for batch in batches { try log.append(batch) }
        }
    }

    private func row(
        _ name: String, _ count: Int, chained: Bool = true,
        _ append: (EventLog) async throws -> Void
    ) async throws {
        let path = folder.appending(path: "\(UUID().uuidString).jsonl").path
        let log = try EventLog.create(
            at: path, recordedAt: Timestamp(milliseconds: 1_767_225_600_000), chained: chained)
        let start = ContinuousClock.now
        try await append(log)
        let seconds = start.duration(to: .now) / .seconds(1)
        log.close()
        try FileManager.default.removeItem(atPath: path)
        Swift.print("\(name)\t\(Int(Double(count) / seconds))")
    }
}

/// A typical purchase.
private func draft(_ number: Int) -> Draft {
    let at = Timestamp(milliseconds: 1_767_225_600_000 + Int64(number) * 10)
    return Draft(
        at: at, account: "2f9c7b1e-0d43-4a51-9f0e-6a7d3c8b5e12", device: "phone-1",
        .queuePurchased(
            .init(
                transaction: .init(String(4_700_000_000_000_000 + number)),
                product: "com.example.lives.5", quantity: 1, purchasedAt: at)))
}
