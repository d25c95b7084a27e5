/// `replay completions`: a script that completes the tool's command lines in a shell.
struct CompletionsCommand: ToolCommand {
    static let name = "completions"
    static let operands = [Operand(name: "SHELL", values: .oneOf(Shell.allCases.map(\.rawValue)))]

    let shell: Shell

    init(_ given: ParsedArguments) throws(UsageError) {
        try given.atMost(1)
        shell = try given.first { Shell(rawValue: $0) }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        try session.output.line(shell.script)
        return .well
    }
}
