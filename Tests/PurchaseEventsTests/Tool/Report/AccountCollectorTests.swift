import PurchaseEvents
import Testing

@testable import replay

struct AccountCollectorTests {
    private func kept(_ numbers: [Int], proofs: Set<Int>, limit: Int) -> (lines: [Int], count: Int)
    {
        var collector = AccountCollector(nil, proofLines: proofs, limit: limit)
        for number in numbers {
            collector.add(
                AccountCollector.KeptLine(
                    number: number, seq: Int64(number), at: Timestamp(milliseconds: 0),
                    type: .appLaunched, bytes: [], transaction: nil, isAgain: false,
                    environment: .production))
        }
        collector.trim()
        return (collector.kept.map(\.number), collector.count)
    }

    @Test func `without a proof, the earliest lines are kept`() {
        let some = kept(Array(1...3), proofs: [], limit: 5)
        #expect(some == ([1, 2, 3], 3))
        let many = kept(Array(1...100), proofs: [], limit: 5)
        #expect(many == (Array(1...5), 100))
    }

    @Test func `the lines of proofs are kept, and those nearest to them`() {
        let near = kept(Array(1...100), proofs: [40, 90], limit: 6)
        #expect(near == ([39, 40, 41, 89, 90, 91], 100))
    }

    @Test func `all lines of proofs have room up to twice the limit`() {
        let proofs = Set(stride(from: 10, through: 100, by: 10))
        #expect(kept(Array(1...100), proofs: proofs, limit: 6).lines == proofs.sorted())
        #expect(kept(Array(1...100), proofs: proofs, limit: 3).lines.count == 6)
    }

    @Test func `a line that arrives twice is one`() {
        let twice = kept([1, 2, 2, 1, 3], proofs: [2], limit: 5)
        #expect(twice == ([1, 2, 3], 3))
    }
}
