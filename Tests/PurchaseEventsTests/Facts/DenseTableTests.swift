import Testing

@testable import PurchaseProjections

struct DenseTableTests {
    @Test func `an unwritten index reads as empty, also past the end`() {
        var table = DenseTable("")
        #expect(table[0] == "")
        #expect(table[1_000_000] == "")
        table[700] = "seven hundred"
        #expect(table.count == 701)
        #expect(table[700] == "seven hundred")
        #expect(table[699] == "")
        #expect(table[701] == "")
        #expect(table.indices == 0..<701)
    }

    /// Uses more chunks than the table first has room for.
    @Test func `every value stays where it was written`() {
        var table = DenseTable(-1)
        for index in 0..<5_000 { table.append(index * 3) }
        for index in stride(from: 4_999, through: 0, by: -7) { table[index] += 1 }
        for index in 0..<5_000 {
            #expect(table[index] == index * 3 + ((4_999 - index) % 7 == 0 ? 1 : 0))
        }
    }

    /// A long value that isn't trivial.
    private struct Wide: Sendable {
        var words = SIMD64<Int64>(repeating: 0)
        var list: [Int] = []
    }

    @Test func `many long values stay in place, and copies are independent`() {
        var first = DenseTable(Wide())
        for index in 0..<9_000 {
            first[index].list = [index]
            first[index].words[63] = Int64(index)
        }
        var second = first
        for index in stride(from: 0, to: 9_000, by: 3) { second[index].words[63] = -1 }
        second[20_000].list = [1]
        for index in 0..<9_000 {
            let isOwn = first[index].list == [index] && first[index].words[63] == Int64(index)
            let isOther =
                second[index].list == [index]
                && second[index].words[63] == (index % 3 == 0 ? -1 : Int64(index))
            if !isOwn || !isOther { Issue.record("\(index)") }
        }
        #expect(first.count == 9_000)
        #expect(second[19_999].list == [])
        #expect(second[20_000].list == [1])
    }

    @Test func `a copy separates from its original at the first write to either`() {
        var first = DenseTable([Int]())
        for index in 0..<600 { first[index] = [index] }
        var second = first
        second[599].append(1)
        second[900] = [2]
        first[0] = []
        #expect(first[599] == [599])
        #expect(first.count == 600)
        #expect(first[900] == [])
        #expect(second[0] == [0])
        #expect(second[599] == [599, 1])
        #expect(second[900] == [2])
    }

    @Test func `writing into a new index begins with the empty value`() {
        var table = DenseTable(5)
        table[300] += 0
        #expect(table.count == 301)
        table[300] += 1
        table[300] += 0
        #expect(table[300] == 6)
        #expect(table[299] == 5)
    }
}
