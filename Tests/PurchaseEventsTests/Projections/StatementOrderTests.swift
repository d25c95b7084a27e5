import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

/// The order in which statements of the App Store arrive must not matter (event-log.md, 4).
struct StatementOrderTests {
    private static let seeds: ClosedRange<UInt64> = 1...Effort.of(whole: 20, part: 5)
    private static let shown: [any Projection.Type] = [
        Entitlements.self, Subscriptions.self, Accounts.self,
    ]

    @Test(
        arguments: ["valid", "violations"].flatMap {
            Folders.files(in: Folders.events.appending(path: $0), "jsonl")
        })
    func `statements shuffled among their places give the same rows`(_ file: URL) throws {
        try expectSameRows(
            Folders.bytes(of: file), seeds: StatementOrderTests.seeds, file.lastPathComponent)
    }

    @Test func `statements that contradict each other give the same rows in any order`() throws {
        let file = "Tests/PurchaseEventsTests/Projections/contradictions.txt"
        let history = try Timeline(
            String(contentsOf: Folders.root.appending(path: file), encoding: .utf8))
        try expectSameRows(history.bytes, seeds: 1...300, "contradictions")
    }

    private func expectSameRows(
        _ bytes: [UInt8], seeds: ClosedRange<UInt64>, _ name: String
    ) throws {
        let expected = try Self.rows(bytes)
        for seed in seeds {
            let found = try Self.rows(Self.shuffled(bytes, seed))
            for (place, projection) in Self.shown.enumerated() {
                #expect(
                    found[place] == expected[place], "\(name), seed \(seed), \(projection.name)")
            }
        }
    }

    /// The rows of one fold, by projection.
    private static func rows(_ bytes: [UInt8]) throws -> [[String]] {
        let show = try Showing(bytes).fold()
        return shown.map { show.rows(of: $0).map { RowJSON.text(of: $0.fields) } }
    }

    /// The log with its statements shuffled among their own lines; each keeps its `at`.
    private static func shuffled(_ bytes: [UInt8], _ seed: UInt64) -> [UInt8] {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let places = lines.indices.filter { isStatement(lines[$0]) }
        var generator = Dice(seed: seed)
        let moved = places.shuffled(using: &generator)
        let before = lines
        for (place, other) in zip(places, moved) { lines[place] = before[other] }
        for index in lines.indices {
            guard let comma = lines[index].firstIndex(of: ",") else { continue }
            lines[index] = #"{"seq":\#(index + 1)"# + lines[index][comma...]
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    private static func isStatement(_ line: String) -> Bool {
        [
            "receipt.listed", "renewal.", "cancellation.", "queue.purchased", "queue.restored",
        ].contains { line.contains(#""type":"\#($0)"#) }
    }
}
