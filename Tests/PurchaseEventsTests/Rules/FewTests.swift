import TestSupport
import Testing

@testable import PurchaseProjections

@Suite struct FewTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `it is a list like any other`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        var few = Few<Int>()
        var model: [Int] = []
        var longest = 0
        for number in 0..<5_000 {
            switch dice.below(8) {
            case 0..<5:
                few.append(number)
                model.append(number)
            case 5:
                let count = dice.below(model.count + 2)
                few.cut(to: count)
                model = Array(model.prefix(count))
            case 6 where !model.isEmpty:
                let index = dice.below(model.count)
                few[index] = -number
                model[index] = -number
            case _ where dice.below(4) == 0:
                few.removeAll()
                model = []
            case _: few = Few(model)
            }
            longest = max(longest, model.count)
            #expect(Array(few) == model && few.count == model.count, "seed \(seed)")
            #expect(few.isEmpty == model.isEmpty && few.first == model.first)
        }
        #expect(longest > 8, "long ones too: \(longest)")
    }
}
