import PurchaseEvents

/// Every list of choices of a generator, one after another, the simplest first.
///
/// Run the generator once for each list: `repeat { run(choices) } while choices.advance()`.
public final class ExhaustiveChoices: ChoiceSource {
    private var path: [(choice: Int64, bound: Int64)] = []
    private var place = 0
    private let limit: Int

    /// Creates a source whose choices after the first `limit` are 0, so that there are finitely
    /// many lists.
    public init(limit: Int) { self.limit = limit }

    /// The choices made in the current run.
    public var chosen: [Int64] { path.prefix(place).map(\.choice) }

    /// The next choice of the current list.
    public func draw(below bound: Int64) -> Int64 {
        guard place < limit else { return 0 }
        if place == path.count { path.append((0, bound)) }
        place += 1
        return min(path[place - 1].choice, bound - 1)
    }

    /// Advances to the next list; returns `false` after the last one.
    public func advance() -> Bool {
        // Choices that the last run didn't reach don't count.
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
