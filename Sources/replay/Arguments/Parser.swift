import PurchaseProjections

/// Parses the arguments into one command before anything is done.
enum Parser {
    /// The command for the arguments, which don't include the tool's own name.
    static func parse(
        _ arguments: [String], rules: [any Rule.Type] = RuleCatalogue.all
    ) throws(UsageError) -> any ToolCommand {
        guard let first = arguments.first else {
            throw UsageError("expected a command, such as `replay check LOG`")
        }
        if first == "--version" {
            guard arguments.count == 1 else {
                throw UsageError("unexpected argument `\(arguments[1])`")
            }
            return VersionCommand()
        }
        if first == "--help" || first == "-h" { return HelpCommand(topic: nil) }
        if first.hasPrefix("-") {
            let typed = String(first.drop { $0 == "-" })
            let own = ["help", "version"]
            guard NearestWord.find(typed, in: own) == nil else {
                throw UsageError(unknown: "option", typed, among: own, prefix: "--", seen: first)
            }
            throw UsageError("expected a command before `\(first)`")
        }
        let command = try CommandCatalogue.named(first)
        guard let given = try ParsedArguments(arguments.dropFirst(), to: command, rules: rules)
        else { return HelpCommand(topic: command) }
        return try command.init(given)
    }
}
