import PurchaseEvents

/// A case for which a property fails.
public struct Counterexample: CustomStringConvertible, Sendable {
    /// The property's name.
    public let property: String
    /// The seed of the run, or `nil` if the case wasn't found at random.
    public internal(set) var seed: UInt64?
    /// The number of the case in its run, counted from 0.
    public internal(set) var number: Int
    /// The choices that reproduce the case.
    public let choices: [Int64]
    /// The problem: the text that the property's body returned, or the error that it threw.
    public let problem: String
    /// The lines of the case's log.
    public let lines: [String]
    /// The number of simpler cases tried.
    public internal(set) var shrinks = 0
    /// The number of choices made before each mark of the generator.
    var marks: [Int] = []

    /// A copy with the seed and the number of another counterexample.
    func named(like other: Counterexample) -> Counterexample {
        var named = self
        named.seed = other.seed
        named.number = other.number
        return named
    }

    /// Whether this counterexample is simpler: a shorter log, then fewer choices, then lower
    /// choices.
    func isSimpler(than other: Counterexample) -> Bool {
        if lines.count != other.lines.count { return lines.count < other.lines.count }
        if choices.count != other.choices.count { return choices.count < other.choices.count }
        return choices.lexicographicallyPrecedes(other.choices)
    }

    /// The seed, the choices, the log, and a test to paste.
    public var description: String {
        let list = choices.map(String.init).joined(separator: ", ")
        let log = lines.map { "    \($0)" }.joined(separator: "\n")
        let origin = seed.map { "seed \($0), case \(number)" } ?? "case \(number)"
        return """
            `\(property)` fails: \(problem)
            \(origin), \(choices.count) choices after \(shrinks) simpler tries
            the log (\(lines.count) lines):
            \(log)
            as a test:
                @Test func `\(property), as found`() {
                    let found = property.replay([\(list)])
                    #expect(found == nil, "\\(found.map(String.init(describing:)) ?? "")")
                }
            """
    }
}
