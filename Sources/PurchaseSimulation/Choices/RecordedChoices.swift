import PurchaseEvents

/// Choices from a list; past its end, and where a bound doesn't allow more, the simplest.
public final class RecordedChoices: ChoiceSource {
    private let list: [Int64]
    private var place = 0
    /// What was chosen in fact, one entry a choice with a bound above 1.
    public private(set) var chosen: [Int64] = []
    /// How many choices were made before each mark.
    public private(set) var marks: [Int] = []

    /// The choices of a list.
    public init(_ list: [Int64]) { self.list = list }

    /// The next number of the list, or the greatest below the bound where that is less.
    public func draw(below bound: Int64) -> Int64 {
        let choice = place < list.count ? min(max(list[place], 0), bound - 1) : 0
        place += 1
        chosen.append(choice)
        return choice
    }

    /// Marks this place of the list.
    public func mark() {
        if marks.last != chosen.count { marks.append(chosen.count) }
    }
}

/// Hands on the choices of another source and writes them down.
public final class RecordingChoices: ChoiceSource {
    private let source: any ChoiceSource
    /// What was chosen, one entry a choice with a bound above 1.
    public private(set) var chosen: [Int64] = []

    /// Writes down what the source chooses.
    public init(_ source: any ChoiceSource) { self.source = source }

    /// The source's choice.
    public func draw(below bound: Int64) -> Int64 {
        let choice = source.draw(below: bound)
        chosen.append(choice)
        return choice
    }
}
