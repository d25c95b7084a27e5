import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

/// The order in which statements of the App Store arrive must not matter (event-log.md, 4).
@Suite struct StatementOrderTests {
    private static let seeds: ClosedRange<UInt64> = 1...Effort.of(whole: 20, part: 5)
    private static let shown: [any Projection.Type] = [
        Entitlements.self, Subscriptions.self, Accounts.self,
    ]

    @Test(arguments: Folders.files(in: Folders.events.appending(path: "valid"), "jsonl"))
    func `statements shuffled among their places give the same rows`(_ file: URL) throws {
        try expectSameRows(
            Folders.bytes(of: file), seeds: StatementOrderTests.seeds, file.lastPathComponent)
    }

    @Test(arguments: Folders.files(in: Folders.events.appending(path: "violations"), "jsonl"))
    func `so do those of logs that break a rule`(_ file: URL) throws {
        try expectSameRows(
            Folders.bytes(of: file), seeds: StatementOrderTests.seeds, file.lastPathComponent)
    }

    @Test func `statements that contradict each other give the same rows in any order`() throws {
        let history = Timeline(
            """
            receipt.listed transaction=t2 product=month at=2026-01-20 purchasedAt=2026-01-20 \
            account=b
            queue.purchased transaction=t1 product=month purchasedAt=2026-01-01 \
            expiresAt=2026-02-01 account=a
            queue.purchased transaction=t2 product=month purchasedAt=2026-02-01 expiresAt=2026-03-01
            renewal.renewed transaction=t2 original=t1 product=month group=g \
            purchasedAt=2026-02-01 expiresAt=2026-03-01 price=4990 currency=EUR account=c
            renewal.renewed transaction=t3 original=t2 product=month purchasedAt=2026-03-01 \
            expiresAt=2026-04-01 price=4990 currency=EUR
            receipt.listed transaction=t3 original=t1 product=month purchasedAt=2026-03-01 \
            signedAt=2026-03-03
            renewal.extended original=t1 transaction=t3 expiresAt=2026-04-07 at=2026-03-20
            renewal.failed original=t1 graceExpiresAt=2026-04-10 retrying=true at=2026-04-06
            renewal.failed original=t1 graceExpiresAt=2026-04-11 at=2026-04-07
            renewal.extended original=t1 expiresAt=2026-02-03 at=2026-01-15
            renewal.extended original=t1 expiresAt=2026-04-08 at=2026-03-21
            renewal.graceExpired original=t1 at=2026-04-10
            renewal.expired original=t1 reason=billing expiresAt=2026-04-09 at=2026-04-12
            renewal.turnedOff original=t1 signedAt=2026-04-01
            renewal.turnedOn original=t1 signedAt=2026-04-02
            renewal.planChanged original=t1 next=year effect=nextRenewal
            queue.purchased transaction=c1 product=coins quantity=5 purchasedAt=2026-01-05 \
            account=a price=4950 currency=USD
            receipt.listed transaction=c1 product=coins kind=consumable quantity=3 \
            purchasedAt=2026-01-05 signedAt=2026-01-04
            delivery.delivered transaction=c1 account=a
            delivery.consumed product=coins account=a quantity=2
            queue.restored transaction=r1 original=p1 product=pro purchasedAt=2026-04-01 \
            originalPurchasedAt=2026-01-02
            receipt.listed transaction=p1 product=pro kind=nonConsumable purchasedAt=2026-01-02 \
            environment=sandbox
            receipt.listed transaction=p1 product=pro kind=nonRenewing purchasedAt=2026-01-02 \
            signedAt=2026-01-03 account=d
            cancellation.refunded transaction=t2 original=t1 cancelledAt=2026-02-10 \
            percent=25000 reason=issue
            receipt.listed transaction=t2 original=t1 product=month purchasedAt=2026-02-01 \
            expiresAt=2026-03-01 cancelledAt=2026-02-10
            cancellation.revoked transaction=p1 cancelledAt=2026-03-05
            cancellation.reversed transaction=p1 signedAt=2026-03-06
            cancellation.refunded transaction=p1 cancelledAt=2026-03-07
            """)
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
