/// `replay help`: what the tool does, and what a command takes.
struct HelpCommand: ToolCommand {
    static let name = "help"
    static let summary = "print this help, or that of a command"
    static let operands = "[COMMAND]"
    static let options: [Option] = []
    static let details = ""

    /// The command to tell of; `nil` for the tool.
    let topic: (any ToolCommand.Type)?

    init(topic: (any ToolCommand.Type)?) { self.topic = topic }

    init(_ given: Given) throws(UsageError) {
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

/// `replay --version`.
struct VersionCommand: ToolCommand {
    static let name = "--version"
    static let summary = "print the version"
    static let operands = ""
    static let options: [Option] = []
    static let details = ""

    init() {}
    init(_ given: Given) throws(UsageError) {}

    func run(_ session: ToolSession) throws -> ToolStatus {
        try session.output.line("replay \(Tool.version)")
        return .well
    }
}
