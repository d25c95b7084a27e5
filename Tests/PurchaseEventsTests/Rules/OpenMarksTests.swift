import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

@Suite struct OpenMarksTests {
    private func key(_ number: Int) -> HandleKey {
        HandleKey(ProductID<Interned>(Handle(rawValue: UInt32(number))))
    }

    @Test(arguments: [true, false], [1, 2, 3] as [UInt64])
    func `what is open is what nothing closed`(_ renews: Bool, _ seed: UInt64) {
        var dice = Dice(seed: seed)
        var marks = OpenMarks(renews: renews)
        var model: [(key: HandleKey, line: LineNumber)] = []
        for line in 1...3_000 as ClosedRange<LineNumber> {
            let key = key(dice.below(12))
            let opens = dice.below(3) > 0
            marks.note(key, line, opens: opens)
            if renews || !opens { model.removeAll { $0.key == key } }
            if opens { model.append((key, line)) }
            guard dice.below(10) == 0 else { continue }
            marks.settle()
            #expect(marks.marks.map(\.line) == model.map(\.line), "seed \(seed), line \(line)")
            #expect(marks.marks.map(\.key) == model.map(\.key), "seed \(seed), line \(line)")
            #expect(marks.isEmpty == model.isEmpty)
        }
    }

    @Test func `a long list of what is closed is forgotten`() {
        var marks = OpenMarks(renews: true)
        for line in 1...10_000 as ClosedRange<LineNumber> {
            marks.note(key(Int(line) % 5), line, opens: line % 2 == 0)
            #expect(marks.marks.count <= 64)
        }
    }
}
