import PurchaseEvents

/// The source of every decision in a generated history: whole numbers below a bound.
///
/// A generator that decides by choices alone can run at random from a seed, exhaustively within a
/// limit, and again from a recorded list. By convention 0 is the simplest choice, so lowering
/// choices simplifies a history.
public protocol ChoiceSource: AnyObject {
    /// A number from 0 up to, but not including, the bound, which is at least 2.
    func draw(below bound: Int64) -> Int64

    /// Marks a point after which the generator doesn't depend on earlier choices.
    ///
    /// Shrinking first removes whole stretches between marks.
    func mark()
}

extension ChoiceSource {
    /// A number from 0 up to, but not including, the bound; a bound of 1 draws nothing.
    ///
    /// - Precondition: the bound is at least 1.
    public func choose(below bound: Int64) -> Int64 {
        precondition(bound >= 1, "a choice needs a bound of at least 1")
        return bound > 1 ? draw(below: bound) : 0
    }

    /// Does nothing.
    public func mark() {}

    /// A number in a range; the lower bound is the simplest choice.
    ///
    /// - Precondition: the range has fewer than 2^63 numbers.
    public func number(in range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + choose(below: range.upperBound - range.lowerBound + 1)
    }

    /// Whether something happens, once in `times` times on average; `false` is the simplest choice.
    ///
    /// - Precondition: `times` is at least 1.
    public func happens(oncePer times: Int64) -> Bool { choose(below: times) == times - 1 }

    /// One of the elements; the first is the simplest choice.
    ///
    /// - Precondition: the array isn't empty.
    public func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(choose(below: Int64(elements.count)))]
    }

    /// An index into weights, drawn in proportion to them; index 0 is the simplest choice.
    ///
    /// - Precondition: no weight is negative, and at least one is positive.
    public func index(weightedBy weights: [Int64]) -> Int {
        var rest = choose(below: weights.reduce(0, +))
        for (place, weight) in weights.enumerated() {
            if rest < weight { return place }
            rest -= weight
        }
        return weights.count - 1
    }
}
