import PurchaseIncidents
import TestSupport
import Testing

struct MinimalLinesTests {
    @Test func `only what is needed stays, in order`() {
        let minimal = MinimalLines.find(in: Array(1...1_000)) {
            Set($0).isSuperset(of: [7, 500, 999])
        }
        #expect(minimal == [7, 500, 999])
    }

    @Test func `nothing stays where nothing is needed, and all where all is`() {
        #expect(MinimalLines.find(in: [1, 2, 3]) { _ in true }.isEmpty)
        #expect(MinimalLines.find(in: [1, 2, 3]) { $0.count == 3 } == [1, 2, 3])
    }

    @Test func `of lines that stand for each other the first stays`() {
        let minimal = MinimalLines.find(in: Array(1...50)) { lines in
            lines.contains { $0 % 10 == 3 } && lines.contains(20)
        }
        #expect(minimal == [3, 20])
    }

    @Test func `a few lines of many cost few questions`() {
        var asked = 0
        let minimal = MinimalLines.find(in: Array(1...100_000)) { lines in
            asked += 1
            return lines.contains(4) && lines.contains(77_777)
        }
        #expect(minimal == [4, 77_777])
        #expect(asked < 120)
    }

    @Test func `no single line can go, whatever the condition`() {
        for seed in 1...UInt64(Effort.of(whole: 1_000, part: 100)) {
            var dice = Dice(seed: seed)
            let count = 1 + dice.below(20)
            // Any of three sets is enough, and one line spoils everything except the whole.
            let sets = (0..<3).map { _ in Set((0...dice.below(4)).map { _ in dice.below(count) }) }
            let spoiler = dice.below(count)
            func holds(_ lines: [Int]) -> Bool {
                lines.count == count
                    || (!lines.contains(spoiler) && sets.contains { $0.isSubset(of: lines) })
            }
            let minimal = MinimalLines.find(in: Array(0..<count), where: holds)
            #expect(holds(minimal), "seed \(seed)")
            for line in minimal {
                #expect(!holds(minimal.filter { $0 != line }), "seed \(seed): \(minimal)")
            }
        }
    }
}
