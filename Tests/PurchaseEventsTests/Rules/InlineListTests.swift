import TestSupport
import Testing

@testable import PurchaseProjections

struct InlineListTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `an inline list behaves like an array`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        var list = InlineList<Int>()
        var model: [Int] = []
        var longest = 0
        for number in 0..<5_000 {
            switch dice.below(8) {
            case 0..<5:
                list.append(number)
                model.append(number)
            case 5:
                let count = dice.below(model.count + 2)
                list.cut(to: count)
                model = Array(model.prefix(count))
            case 6 where !model.isEmpty:
                let index = dice.below(model.count)
                list[index] = -number
                model[index] = -number
            case _ where dice.below(4) == 0:
                list.removeAll()
                model = []
            case _: list = InlineList(model)
            }
            longest = max(longest, model.count)
            #expect(Array(list) == model && list.count == model.count, "seed \(seed)")
            #expect(list.isEmpty == model.isEmpty && list.first == model.first)
        }
        #expect(longest > 8, "long ones too: \(longest)")
    }
}
