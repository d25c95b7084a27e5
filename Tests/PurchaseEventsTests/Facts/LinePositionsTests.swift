import Testing

@testable import PurchaseProjections

struct LinePositionsTests {
    @Test func `each line has the seq of its event`() {
        var positions = LinePositions()
        #expect(positions.seq(of: 1) == nil)
        let seqs: [(line: UInt32, seq: Int64)] = [
            (2, 1), (3, 2), (4, 3), (7, 4), (8, 5), (9, 900), (10, 900), (11, 1), (12, 2),
        ]
        for (line, seq) in seqs { positions.note(seq, of: line) }
        for (line, seq) in seqs { #expect(positions.seq(of: line) == seq) }
        #expect(positions.seq(of: 1) == nil)
    }

    @Test func `a log may begin anywhere`() {
        var positions = LinePositions()
        positions.note(9_007_199_254_740_991, of: 1)
        positions.note(-9_007_199_254_740_991, of: 4_000_000_000)
        #expect(positions.seq(of: 1) == 9_007_199_254_740_991)
        #expect(positions.seq(of: 4_000_000_000) == -9_007_199_254_740_991)
    }
}
