import TestSupport
import Testing

@testable import PurchaseProjections

struct EarliestQueueTests {
    @Test func `values come out by number, up to an end`() {
        var dice = Dice(seed: 5)
        var queue = EarliestQueue()
        var expected: [Int64] = []
        for _ in 0..<2_000 {
            if dice.below(2) == 0 {
                let number = Int64(dice.below(50))
                queue.add(UInt32(number), at: number)
                expected.append(number)
                expected.sort()
            } else {
                let end = Int64(dice.below(50))
                let next = expected.first.flatMap { $0 <= end ? $0 : nil }
                if next != nil { expected.removeFirst() }
                #expect(queue.next(upTo: end).map { Int64($0) } == next)
            }
        }
    }
}
