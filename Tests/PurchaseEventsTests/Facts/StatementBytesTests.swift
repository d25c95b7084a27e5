import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

@Suite struct StatementBytesTests {
    /// Statements of two types that differ in the ends of names, the lengths of numbers, keys that
    /// are there or not, and forms that are packed or nearly so.
    private static let statements: [(type: EventType, text: String)] = {
        let transactions = [
            "4700010571428972", "470001057142897", "47000105714289721", "470001057142897A",
            "be681e2e-1554-4dfd-88d1-c4c24fc84b26", "be681e2e-1554-4dfd-88d1-c4c24fc84b2",
            "be681e2e-1554-4dfd-88d1-c4c24fc84b26!", "2026-01-01T00:01:25.000Z", "a", "a!", "ab",
        ]
        let rests = [
            "", #","quantity":9"#, #","quantity":10"#, #","quantity":1"#, #","price":1"#,
            #","purchasedAt":"2026-01-01T00:01:25.000Z""#, #","product":"é""#,
        ]
        return [EventType.queuePurchased, .renewalRenewed].flatMap { type in
            transactions.flatMap { transaction in
                rests.map { rest in
                    (
                        type,
                        #""type":"\#(type.wireName)","transaction":"\#(transaction)"\#(rest)"#
                    )
                }
            }
        }
    }()

    @Test func `packed statements come in the order of their canonical bytes`() {
        var bytes = StatementBytes()
        let places = StatementBytesTests.statements.map { type, text in
            Array(text.utf8).withUnsafeBytes { bytes.append(type, $0) }
        }
        var pairs = 0
        for (left, place) in zip(StatementBytesTests.statements, places) {
            for (right, other) in zip(StatementBytesTests.statements, places) {
                let expected = Array((left.text + "}").utf8)
                    .lexicographicallyPrecedes(Array((right.text + "}").utf8))
                if bytes.precedes(place, other) != expected {
                    Issue.record("\(left.text) before \(right.text): expected \(expected)")
                }
                pairs += 1
            }
        }
        #expect(pairs == 154 * 154)
    }

    @Test func `what is forgotten last is given back, and what is kept stays`() {
        var bytes = StatementBytes()
        let first = Array("first".utf8).withUnsafeBytes { bytes.append($0) }
        let second = Array("second".utf8).withUnsafeBytes { bytes.append($0) }
        bytes.forget(second)
        #expect(bytes.count == 5)
        #expect(bytes.garbage == 0)
        let third = Array("third".utf8).withUnsafeBytes { bytes.append($0) }
        bytes.forget(first)
        #expect(bytes.garbage == 5)
        #expect(bytes.withBytes(third) { Array($0) } == Array("third".utf8))
    }
}
