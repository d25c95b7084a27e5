import Testing

@testable import PurchaseEvents

struct PreparedBlocksTests {
    @Test func `prepared blocks give the hash of a message of any length`() {
        var words: [UInt32] = []
        var head = Digest.zero
        var prepared: Set<Int> = []
        for count in 32...400 {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
            let blocks = PortableSHA256.preparedBlocks(count)
            prepared.insert(blocks)
            words = [UInt32](repeating: .max, count: blocks * PortableSHA256.scheduleLength + 1)
            let expected = message.withUnsafeBytes { Chain.value(of: $0, after: head) }
            let found = message.withUnsafeBytes { message in
                words.withUnsafeMutableBufferPointer { words in
                    words.baseAddress.map { words -> Digest in
                        PortableSHA256.prepare(message, to: words)
                        return PortableSHA256.hash(head, message, schedules: words)
                    }
                }
            }
            #expect(found == expected, "\(count) bytes")
            // The memory after the schedules is unchanged.
            #expect(words.last == .max)
            head = expected
        }
        #expect(prepared == [1, 2, 3, 4, 5, 6])
    }

    @Test func `a message that doesn't fill the first block has no prepared blocks`() {
        #expect((0..<32).allSatisfy { PortableSHA256.preparedBlocks($0) == 0 })
    }
}
