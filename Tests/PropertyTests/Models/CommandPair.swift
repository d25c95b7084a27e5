import PurchaseEvents
import Testing
import PurchaseSimulation

/// A subject and a simple model of it, which receive the same commands.
protocol CommandPair {
    /// An operation on both.
    associatedtype Command

    /// Draws a command with its arguments, whether or not it is currently allowed, so that leaving
    /// out earlier commands doesn't change it.
    static func draw(_ choices: any ChoiceSource) -> Command
    /// Whether the model allows the command now.
    func allows(_ command: Command) -> Bool
    /// Gives a command to both; returns how their answers differ, or `nil`.
    mutating func give(_ command: Command) throws -> String?
}

/// The property that a subject agrees with its model for every sequence of commands.
///
/// Commands are drawn one at a time. Commands that aren't allowed are skipped, also while
/// shrinking, when the commands that made them possible may be gone.
func agreement<Pair: CommandPair>(
    _ name: String, cases: Int = propertyCases, mean: Int64 = 12,
    _ pair: @escaping () throws -> Pair
) -> Property {
    Property(name, cases: cases, seed: propertySeed) { trial in
        var pair = try pair()
        var given: [String] = []
        trial.choices.mark()
        while trial.choices.choose(below: mean) > 0 {
            let command = Pair.draw(trial.choices)
            trial.choices.mark()
            guard pair.allows(command) else { continue }
            given.append("\(command)")
            trial.show(lines: given)
            trial.count("\(command)".prefix { $0 != "(" }.description)
            if let problem = try pair.give(command) { return problem }
        }
        return nil
    }
}
