import PurchaseEvents

/// Choices from a list; after its end every choice is 0, and each choice is limited by its bound.
public final class RecordedChoices: ChoiceSource {
    private let list: [Int64]
    private var place = 0
    /// The choices actually made, one for each bound above 1.
    public private(set) var chosen: [Int64] = []
    /// The number of choices made before each mark.
    public private(set) var marks: [Int] = []

    /// Creates a source from a list of choices.
    public init(_ list: [Int64]) { self.list = list }

    /// The next number in the list, at most the bound minus 1; 0 after the end of the list.
    public func draw(below bound: Int64) -> Int64 {
        let choice = place < list.count ? min(max(list[place], 0), bound - 1) : 0
        place += 1
        chosen.append(choice)
        return choice
    }

    /// Records a mark before the next choice.
    public func mark() {
        if marks.last != chosen.count { marks.append(chosen.count) }
    }
}

/// Passes on the choices of another source and records them.
public final class RecordingChoices: ChoiceSource {
    private let source: any ChoiceSource
    /// The choices made, one for each bound above 1.
    public private(set) var chosen: [Int64] = []

    /// Creates a source that records the choices of another.
    public init(_ source: any ChoiceSource) { self.source = source }

    /// The other source's next choice.
    public func draw(below bound: Int64) -> Int64 {
        let choice = source.draw(below: bound)
        chosen.append(choice)
        return choice
    }
}
