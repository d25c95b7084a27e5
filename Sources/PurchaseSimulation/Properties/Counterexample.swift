import PurchaseEvents

/// A case in which a property fails.
public struct Counterexample: CustomStringConvertible, Sendable {
    /// The property's statement.
    public let property: String
    /// The seed of the run; `nil` where the case was not found at random.
    public internal(set) var seed: UInt64?
    /// The number of the case in its run.
    public internal(set) var number: Int
    /// What makes the case again.
    public let choices: [Int64]
    /// What is wrong.
    public let problem: String
    /// The lines of the case's log.
    public let lines: [String]
    /// How many simpler cases were tried.
    public internal(set) var shrinks = 0
    /// How many choices were made before each mark of the generator.
    let marks: [Int]

    init(
        property: String, seed: UInt64?, number: Int, choices: [Int64], problem: String,
        lines: [String], marks: [Int] = []
    ) {
        self.property = property
        self.seed = seed
        self.number = number
        self.choices = choices
        self.problem = problem
        self.lines = lines
        self.marks = marks
    }

    /// The same with the seed and the number of another.
    func named(like other: Counterexample) -> Counterexample {
        var named = self
        named.seed = other.seed
        named.number = other.number
        return named
    }

    /// Whether it is simpler: a shorter log, fewer choices, lower ones.
    func isSimpler(than other: Counterexample) -> Bool {
        if lines.count != other.lines.count { return lines.count < other.lines.count }
        if choices.count != other.choices.count { return choices.count < other.choices.count }
        return choices.lexicographicallyPrecedes(other.choices)
    }

    /// The seed, the choices, the log, and a test that can be pasted.
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
