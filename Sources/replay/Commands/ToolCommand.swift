/// A command of the tool: its arguments as one value, checked before anything is done.
protocol ToolCommand: Sendable {
    /// The word that asks for it.
    static var name: String { get }
    /// What it does, in one line.
    static var summary: String { get }
    /// Its operands as the help shows them.
    static var operands: String { get }
    /// Its options, in the order of the help.
    static var options: [Option] { get }
    /// What else its help tells: paragraphs, wrapped.
    static var details: String { get }

    /// The command with what was given.
    init(_ given: Given) throws(UsageError)

    /// Does it, and answers the exit status.
    func run(_ session: ToolSession) throws -> ToolStatus
}

/// Every command, in the order of the help: the one list of them.
enum CommandCatalogue {
    /// All commands.
    static let all: [any ToolCommand.Type] = [
        CheckCommand.self, RulesCommand.self, ShowCommand.self, ExplainCommand.self,
        StatsCommand.self, GenerateCommand.self, ImportCommand.self, SealCommand.self,
        VerifyCommand.self, RecoverCommand.self, HelpCommand.self,
    ]

    /// The command of a name.
    static func named(_ name: String) throws(UsageError) -> any ToolCommand.Type {
        if let command = all.first(where: { $0.name == name }) { return command }
        let words = all.map { $0.name }
        // What is a command elsewhere is an option here.
        guard NearestWord.find(name, in: words + ["version"]) != "version" else {
            throw UsageError("unknown command `\(name)`: did you mean `--version`?")
        }
        throw UsageError(unknown: "command", name, among: words)
    }
}
