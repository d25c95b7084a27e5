import PurchaseEvents

/// The choices of an earlier case with a few of them drawn anew, and random choices after their
/// end.
final class VariedChoices: ChoiceSource {
    private let list: [Int64]
    private let random: SeededChoices
    private var place = 0
    /// One choice in this many is drawn anew.
    private let oncePer: Int64

    init(_ list: [Int64], _ random: SeededChoices) {
        (self.list, self.random) = (list, random)
        // Sometimes a single choice, sometimes a tenth of them.
        oncePer = max(2, random.choose(below: 2) == 0 ? Int64(list.count) : 10)
    }

    func draw(below bound: Int64) -> Int64 {
        defer { place += 1 }
        guard place < list.count, !random.happens(oncePer: oncePer) else {
            return random.draw(below: bound)
        }
        return min(list[place], bound - 1)
    }
}
