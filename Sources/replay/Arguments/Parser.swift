import PurchaseProjections

/// Turns arguments into one value before anything is done.
enum Parser {
    /// The command that the arguments, the tool's own name left out, ask for.
    static func parse(
        _ arguments: [String], rules: [any Rule.Type] = RuleCatalogue.all
    ) throws(UsageError) -> any ToolCommand {
        guard let first = arguments.first else {
            throw UsageError("expected a command")
        }
        if first == "--version" {
            guard arguments.count == 1 else { throw UsageError("unexpected `\(arguments[1])`") }
            return VersionCommand()
        }
        if first == "--help" || first == "-h" { return HelpCommand(topic: nil) }
        if first.hasPrefix("-") {
            let typed = String(first.drop { $0 == "-" })
            let own = ["help", "version"]
            guard NearestWord.find(typed, in: own) == nil else {
                throw UsageError(
                    unknown: "option", typed, among: own, prefix: "--", seen: first)
            }
            throw UsageError("expected a command before `\(first)`")
        }
        let command = try CommandCatalogue.named(first)
        guard let given = try Given(arguments.dropFirst(), to: command, rules: rules) else {
            return HelpCommand(topic: command)
        }
        return try command.init(given)
    }
}
