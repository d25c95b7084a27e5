import PurchaseEvents

/// Every list of choices of a generator, one after the other, the simplest first.
///
/// Run the generator once a list: `repeat { run(choices) } while choices.advance()`.
public final class ExhaustiveChoices: ChoiceSource {
    private var path: [(choice: Int64, bound: Int64)] = []
    private var place = 0
    private let limit: Int

    /// Choices past that many are the simplest, so that there are finitely many lists.
    public init(limit: Int) { self.limit = limit }

    /// What is chosen on this run so far.
    public var chosen: [Int64] { path.prefix(place).map(\.choice) }

    /// The choice at this place of the list.
    public func draw(below bound: Int64) -> Int64 {
        guard place < limit else { return 0 }
        if place == path.count { path.append((0, bound)) }
        place += 1
        return min(path[place - 1].choice, bound - 1)
    }

    /// Goes on to the next list; `false` where this was the last.
    public func advance() -> Bool {
        // What the last run didn't reach doesn't count.
        path.removeLast(path.count - place)
        place = 0
        while let last = path.popLast() {
            if last.choice + 1 < last.bound {
                path.append((last.choice + 1, last.bound))
                return true
            }
        }
        return false
    }
}
