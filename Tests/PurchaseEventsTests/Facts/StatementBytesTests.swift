import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

struct StatementBytesTests {
    private static let at = Timestamp(milliseconds: 1_767_225_685_000)
    private let decoder = LineDecoder()

    private static func line(_ type: String, _ members: String) -> String {
        #"{"seq":1,"at":"2026-01-01T00:01:25.698Z","type":"\#(type)",\#(members)}"#
    }

    /// Statements of two types with different ends of names, lengths of numbers, sets of keys, and
    /// values that are packed or nearly so.
    private static let lines: [String] = {
        let names = [
            "4700010571428972", "470001057142897", "47000105714289721", "470001057142897A",
            "be681e2e-1554-4dfd-88d1-c4c24fc84b26", "be681e2e-1554-4dfd-88d1-c4c24fc84b2",
            "be681e2e-1554-4dfd-88d1-c4c24fc84b26!", "2026-01-01T00:01:25.000Z", "a", "a!", "ab",
        ]
        let day = #""purchasedAt":"2026-01-01T00:01:25.000Z""#
        let purchases = [
            "", #""quantity":9,"#, #""quantity":10,"#, #""quantity":1,"#,
        ].flatMap { quantity in
            ["", #","price":1"#, #","price":10,"currency":"EUR""#].map { quantity + day + $0 }
        }
        return names.flatMap { name in
            purchases.map {
                line("queue.purchased", #""transaction":"\#(name)","product":"\#(name)",\#($0)"#)
            } + [
                line("cancellation.reversed", #""transaction":"\#(name)""#),
                line("cancellation.reversed", #""id":"\#(name)","transaction":"\#(name)""#),
                line("cancellation.reversed", #""account":"\#(name)","transaction":"é""#),
            ]
        }
    }()

    /// Stores the statement of a line with one reference.
    private func keep(_ line: String, in bytes: inout StatementBytes) throws -> VersionID {
        let packed = try #require(PackedStatement(line.utf8, decoder), "\(line)")
        let version = packed.bytes.withUnsafeBytes {
            bytes.append($0, time: StatementBytesTests.at)
        }
        bytes.settle(version, holders: 1)
        return version
    }

    @Test func `packed statements sort by their canonical bytes`() throws {
        var bytes = StatementBytes(names: decoder.names)
        let statements = try StatementBytesTests.lines.map { line in
            let packed = try #require(PackedStatement(line.utf8, decoder))
            return (packed.type.wireName + packed.expected, try keep(line, in: &bytes))
        }
        var pairs = 0
        for (left, version) in statements {
            for (right, other) in statements {
                let expected = left.utf8.lexicographicallyPrecedes(right.utf8)
                if bytes.precedes(version, other) != expected {
                    Issue.record("\(left) before \(right): expected \(expected)")
                }
                pairs += 1
            }
        }
        #expect(pairs == 165 * 165)
    }

    private static func reversal(_ transaction: some StringProtocol) -> String {
        line("cancellation.reversed", #""id":"\#(transaction)","transaction":"1""#)
    }

    @Test func `freed space is reused for the same size, and kept statements stay`() throws {
        var bytes = StatementBytes(names: decoder.names)
        let kept = try keep(StatementBytesTests.reversal("kept"), in: &bytes)
        let first = try keep(StatementBytesTests.reversal("first"), in: &bytes)
        let second = try keep(StatementBytesTests.reversal("other"), in: &bytes)
        let count = bytes.count
        bytes.retain(first)
        bytes.release(first)
        bytes.release(first)
        bytes.release(second)
        let third = try keep(StatementBytesTests.reversal("third"), in: &bytes)
        let fourth = try keep(StatementBytesTests.reversal("forth"), in: &bytes)
        #expect(bytes.count == count)
        #expect(third == second)
        #expect(fourth == first)
        #expect(bytes.precedes(fourth, third))
        #expect(bytes.precedes(fourth, kept))
        #expect(!bytes.precedes(third, kept))
        #expect(bytes.time(of: kept) == StatementBytesTests.at)
    }

    @Test func `many and very long statements stay in an independent copy`() throws {
        var bytes = StatementBytes(names: decoder.names)
        func revocation(_ number: Int, _ tail: Int) -> String {
            let reason = "\(number)" + String(repeating: "x", count: tail)
            return StatementBytesTests.line(
                "cancellation.revoked",
                #""transaction":"1","cancelledAt":"2026-01-01T00:01:25.000Z","reason":"\#(reason)""#
            )
        }
        var versions: [VersionID] = []
        for number in 10_000..<14_000 {
            versions.append(try keep(revocation(number, number % 100 == 0 ? 4_000 : 0), in: &bytes))
        }
        #expect(Set(versions.map(\.index)).count == 4_000)
        let copy = bytes
        for version in versions { bytes.release(version) }
        for number in 30_000..<34_000 { _ = try keep(revocation(number, 0), in: &bytes) }
        for (left, right) in zip(versions, versions.dropFirst()) {
            if !copy.precedes(left, right) || copy.precedes(right, left) {
                Issue.record("\(left) before \(right) in the copy")
            }
        }
    }
}
