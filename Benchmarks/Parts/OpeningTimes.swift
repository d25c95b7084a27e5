import Foundation
import PurchaseEvents
import PurchaseProjections

/// Times opening a ledger over a log: from the whole log, and from a snapshot.
struct OpeningTimes {
    /// The path of the log, which nobody else may write.
    let log: String

    func print() throws {
        let snapshot = log + ".snapshot"
        try? FileManager.default.removeItem(atPath: snapshot)
        for name in ["whole, and the snapshot written", "from the snapshot"] {
            for _ in 0..<3 {
                let start = ContinuousClock.now
                let ledger = try PurchaseLedger.open(at: log, snapshot: snapshot)
                let opened = ContinuousClock.now
                let events = ledger.openingReport.events
                ledger.close()
                Swift.print(
                    "\(name)\t\(events) events\topened in \(seconds(start, opened)) s\t"
                        + "closed in \(seconds(opened, .now)) s")
                if name.hasPrefix("whole") {
                    // Only the last of these leaves it for the next row.
                    try? FileManager.default.copyItem(atPath: snapshot, toPath: snapshot + ".kept")
                    try? FileManager.default.removeItem(atPath: snapshot)
                }
            }
            if name.hasPrefix("whole") {
                try FileManager.default.moveItem(atPath: snapshot + ".kept", toPath: snapshot)
                let size = try FileManager.default.attributesOfItem(atPath: snapshot)[.size]
                Swift.print("the snapshot\t\(size ?? 0) bytes")
            }
        }
        try FileManager.default.removeItem(atPath: snapshot)
    }

    private func seconds(
        _ start: ContinuousClock.Instant, _ end: ContinuousClock.Instant
    ) -> String {
        String(format: "%.3f", start.duration(to: end) / .seconds(1))
    }
}
