import PurchaseProjections

/// All commands: parsing, help, man page, completion scripts and tests enumerate this list.
enum CommandCatalogue {
    /// Commands with a common purpose, under one heading in the help.
    struct Group: Sendable {
        let title: String
        let commands: [any ToolCommand.Type]
    }

    /// All commands by group, in the order of the help.
    static let groups = [
        Group(
            title: "Look into a log",
            commands: [
                CheckCommand.self, RulesCommand.self, ShowCommand.self, ExplainCommand.self,
                StatsCommand.self,
            ]),
        Group(
            title: "Work on an incident",
            commands: [
                ShrinkCommand.self, WhyCommand.self, ChangesCommand.self, EditCommand.self,
                DiffCommand.self, RedactCommand.self, TestCommand.self, ReportCommand.self,
            ]),
        Group(title: "Answer the App Store", commands: [ConsumptionCommand.self]),
        Group(
            title: "Make a log",
            commands: [GenerateCommand.self, ImportCommand.self, MergeCommand.self]),
        Group(
            title: "Guard a log",
            commands: [SealCommand.self, VerifyCommand.self, RecoverCommand.self]),
        Group(
            title: "Use the tool",
            commands: [HelpCommand.self, CompletionsCommand.self, ManCommand.self]),
    ]

    /// All commands, in the order of the help.
    static let all = groups.flatMap(\.commands)

    /// The command with a name; the error suggests the most similar one.
    static func named(_ name: String) throws(UsageError) -> any ToolCommand.Type {
        if let command = all.first(where: { $0.name == name }) { return command }
        let words = all.map { $0.name }
        // Other tools have a `version` command; this tool has an option.
        let isVersion = NearestWord.find(name, in: words + ["version"]) == "version"
        var error =
            isVersion
            ? UsageError("unknown command `\(name)`: did you mean `--version`?")
            : UsageError(unknown: "command", name, among: words)
        error.isOfTool = true
        throw error
    }
}
