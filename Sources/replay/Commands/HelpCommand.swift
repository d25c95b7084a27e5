/// `replay help`: explains the tool or a command.
struct HelpCommand: ToolCommand {
    static let name = "help"
    static let operands = [
        Operand(
            name: "COMMAND", values: .suggested(CommandCatalogue.all.map { $0.name }),
            isOptional: true)
    ]

    /// The command to explain; `nil` means the whole tool.
    let topic: (any ToolCommand.Type)?

    init(topic: (any ToolCommand.Type)?) { self.topic = topic }

    init(_ given: ParsedArguments) throws(UsageError) {
        try given.atMost(1)
        topic = try given.operands.first.map { name throws(UsageError) in
            try CommandCatalogue.named(name)
        }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        try session.output.line(topic.map { HelpText.of($0) } ?? HelpText.ofTool)
        return .well
    }
}

/// `replay --version`, which isn't in the list of commands.
struct VersionCommand: ToolCommand {
    static let name = "--version"
    static let summary = "print the version"

    init() {}
    init(_ given: ParsedArguments) throws(UsageError) {}

    func run(_ session: ToolSession) throws -> ToolStatus {
        try session.output.line("replay \(Tool.version)")
        return .well
    }
}
