import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

@Suite struct StatementBytesTests {
    /// Statements of two types with different ends of names, lengths of numbers, sets of keys, and
    /// values that are packed or nearly so.
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

    private static let at = Timestamp(milliseconds: 1_767_225_685_000)

    /// Stores a statement with one reference.
    private func keep(
        _ text: String, _ type: EventType = .queuePurchased, in bytes: inout StatementBytes,
        _ names: StatementNames
    ) -> VersionID {
        let packed = Array(text.utf8).withUnsafeBytes { text in
            [UInt8](unsafeUninitializedCapacity: StatementPacker.room(for: text.count)) {
                guard let place = $0.baseAddress else { return $1 = 0 }
                $1 = StatementPacker().pack(text, of: type, names, to: place)
            }
        }
        let version = packed.withUnsafeBytes { bytes.append($0, time: StatementBytesTests.at) }
        bytes.settle(version, holders: 1)
        return version
    }

    /// The transaction identifier of a statement's event.
    private func names(_ text: String, _ table: NameTable) -> StatementNames {
        let name = text.split(separator: #""transaction":""#)[1].prefix { $0 != "\"" }
        let transaction = table.intern(TransactionID<Written>(String(name)))
        var event = LogEvent.blank
        event.at = StatementBytesTests.at
        event.fact = .cancellationReversed(transaction: transaction)
        return StatementNames(event, table)
    }

    @Test(arguments: [false, true])
    func `packed statements sort by their canonical bytes`(_ areNamed: Bool) {
        let table = NameTable()
        var bytes = StatementBytes(names: table)
        let versions = StatementBytesTests.statements.map { type, text in
            let names = areNamed ? names(text, table) : StatementNames(table)
            return keep(text, type, in: &bytes, names)
        }
        var pairs = 0
        for (left, version) in zip(StatementBytesTests.statements, versions) {
            for (right, other) in zip(StatementBytesTests.statements, versions) {
                let expected = Array((left.text + "}").utf8)
                    .lexicographicallyPrecedes(Array((right.text + "}").utf8))
                if bytes.precedes(version, other) != expected {
                    Issue.record("\(left.text) before \(right.text): expected \(expected)")
                }
                pairs += 1
            }
        }
        #expect(pairs == 154 * 154)
    }

    @Test func `freed space is reused for the same size, and kept statements stay`() {
        let names = StatementNames(NameTable())
        var bytes = StatementBytes(names: names.table)
        let type = #""type":"queue.purchased""#
        let kept = keep(type + #","transaction":"kept""#, in: &bytes, names)
        let first = keep(type + #","transaction":"first""#, in: &bytes, names)
        let second = keep(type + #","transaction":"other""#, in: &bytes, names)
        let count = bytes.count
        bytes.retain(first)
        bytes.release(first)
        bytes.release(first)
        bytes.release(second)
        let third = keep(type + #","transaction":"third""#, in: &bytes, names)
        let fourth = keep(type + #","transaction":"forth""#, in: &bytes, names)
        #expect(bytes.count == count)
        #expect(third == second)
        #expect(fourth == first)
        #expect(bytes.precedes(fourth, third))
        #expect(bytes.precedes(fourth, kept))
        #expect(!bytes.precedes(third, kept))
        #expect(bytes.time(of: kept) == StatementBytesTests.at)
    }

    @Test func `many and very long statements stay in an independent copy`() {
        let names = StatementNames(NameTable())
        var bytes = StatementBytes(names: names.table)
        let type = #""type":"queue.purchased","product":"#
        var versions: [VersionID] = []
        for number in 10_000..<20_000 {
            let tail = number % 1_000 == 0 ? String(repeating: "x", count: 100_000) : ""
            versions.append(keep(type + "\"\(number)\(tail)\"", in: &bytes, names))
        }
        #expect(Set(versions.map(\.index)).count == 10_000)
        let copy = bytes
        for version in versions { bytes.release(version) }
        for number in 30_000..<40_000 { _ = keep(type + "\"\(number)\"", in: &bytes, names) }
        for (left, right) in zip(versions, versions.dropFirst()) {
            if !copy.precedes(left, right) || copy.precedes(right, left) {
                Issue.record("\(left) before \(right) in the copy")
            }
        }
    }
}
