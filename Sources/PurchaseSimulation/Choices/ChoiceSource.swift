import PurchaseEvents

/// Where every decision of a generated history comes from: bounded whole numbers, nothing else.
///
/// A generator that decides by choices alone runs at random from a seed, exhaustively within a
/// bound, and again from a recorded list. By convention 0 is the simplest answer, so that lowering
/// choices makes a history simpler.
public protocol ChoiceSource: AnyObject {
    /// A number from 0 up to, not including, the bound, which is at least 2: there is a choice.
    func draw(below bound: Int64) -> Int64

    /// Says that what follows can do without what came before: shrinking leaves out whole stretches
    /// between marks first.
    func mark()
}

extension ChoiceSource {
    /// A number from 0 up to, not including, the bound; where only 0 is left nothing is drawn.
    ///
    /// - Precondition: the bound is at least 1.
    public func choose(below bound: Int64) -> Int64 {
        precondition(bound >= 1, "a choice needs a bound of at least 1")
        return bound > 1 ? draw(below: bound) : 0
    }

    /// Marks nothing.
    public func mark() {}

    /// A number of a range; its lower bound is the simplest.
    ///
    /// - Precondition: the range has fewer than 2^63 numbers.
    public func number(in range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + choose(below: range.upperBound - range.lowerBound + 1)
    }

    /// Whether something happens that happens once in so many times; that it doesn't is simplest.
    ///
    /// - Precondition: the number is at least 1.
    public func happens(oncePer times: Int64) -> Bool { choose(below: times) == times - 1 }

    /// One of some elements; the first is the simplest.
    ///
    /// - Precondition: there is at least one.
    public func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(choose(below: Int64(elements.count)))]
    }

    /// The place of one of some weights, each as often as it weighs; the first is the simplest.
    ///
    /// - Precondition: no weight is negative, and not all of them are 0.
    public func place(weighing weights: [Int64]) -> Int {
        var rest = choose(below: weights.reduce(0, +))
        for (place, weight) in weights.enumerated() {
            if rest < weight { return place }
            rest -= weight
        }
        return weights.count - 1
    }
}
