import PurchaseEvents
import Testing
import PurchaseSimulation

/// A subject and a simple model of it, given the same commands.
protocol CommandPair {
    /// Something that is done to both.
    associatedtype Command

    /// A command with its arguments; whether it may be given is another question, so that leaving
    /// out others before it changes neither.
    static func draw(_ choices: any ChoiceSource) -> Command
    /// Whether the command may be given now, by what the model knows.
    func allows(_ command: Command) -> Bool
    /// Gives a command to both; what the two say differently, or `nil`.
    mutating func give(_ command: Command) throws -> String?
}

/// That a subject does what its model does, whatever the sequence of commands.
///
/// A sequence is drawn a command at a time. What may not be given is left out, also while
/// shrinking, where the commands that made it possible may be gone.
func agreement<Pair: CommandPair>(
    _ name: String, cases: Int = propertyCases, mean: Int64 = 12,
    _ pair: @escaping () throws -> Pair
) -> Property {
    Property(name, cases: cases, seed: propertySeed) { trial in
        var pair = try pair()
        var told: [String] = []
        trial.choices.mark()
        while trial.choices.choose(below: mean) > 0 {
            let command = Pair.draw(trial.choices)
            trial.choices.mark()
            guard pair.allows(command) else { continue }
            told.append("\(command)")
            trial.show(lines: told)
            trial.count("\(command)".prefix { $0 != "(" }.description)
            if let problem = try pair.give(command) { return problem }
        }
        return nil
    }
}
