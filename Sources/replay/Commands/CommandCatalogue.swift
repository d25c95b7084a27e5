import PurchaseProjections

/// All commands: parsing, help, man page, completion scripts and tests enumerate this list.
enum CommandCatalogue {
    /// All commands by purpose, in the order of the help; each title is a heading there.
    static let groups: [(title: String, commands: [any ToolCommand.Type])] = [
        (
            "Look into a log",
            [
                CheckCommand.self, RulesCommand.self, ShowCommand.self, ExplainCommand.self,
                StatsCommand.self,
            ]
        ),
        (
            "Work on an incident",
            [
                ShrinkCommand.self, WhyCommand.self, ChangesCommand.self, EditCommand.self,
                DiffCommand.self, RedactCommand.self, TestCommand.self, ReportCommand.self,
            ]
        ),
        ("Answer the App Store", [ConsumptionCommand.self]),
        ("Make a log", [GenerateCommand.self, ImportCommand.self, MergeCommand.self]),
        ("Guard a log", [SealCommand.self, VerifyCommand.self, RecoverCommand.self]),
        ("Use the tool", [HelpCommand.self, CompletionsCommand.self, ManCommand.self]),
    ]

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
