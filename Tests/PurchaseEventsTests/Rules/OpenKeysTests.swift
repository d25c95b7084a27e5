import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

struct OpenKeysTests {
    private func key(_ number: Int) -> HandleKey {
        HandleKey(ProductHandle(Handle(rawValue: UInt32(number))))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the open keys are those that nothing closed`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        var keys = OpenKeys()
        var model: [(key: HandleKey, line: LineNumber)] = []
        for line in 1...3_000 as ClosedRange<LineNumber> {
            let key = key(dice.below(12))
            let opens = dice.below(3) > 0
            keys.note(key, line, opens: opens)
            if !opens { model.removeAll { $0.key == key } }
            if opens { model.append((key, line)) }
            guard dice.below(10) == 0 else { continue }
            #expect(keys.marks.map(\.line) == model.map(\.line), "seed \(seed), line \(line)")
            #expect(keys.marks.map(\.key) == model.map(\.key), "seed \(seed), line \(line)")
            #expect(keys.isEmpty == model.isEmpty)
        }
    }

    @Test func `closed keys don't accumulate`() {
        var keys = OpenKeys()
        for line in 1...10_000 as ClosedRange<LineNumber> {
            keys.note(key(Int(line) % 5), line, opens: line % 2 == 0)
            #expect(keys.marks.count <= 64)
        }
    }
}
