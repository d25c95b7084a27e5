/// `replay completions`: a script that completes the tool's command lines in a shell.
struct CompletionsCommand: ToolCommand {
    static let name = "completions"
    static let summary = "print a script that completes commands and options in a shell"
    static let operands = [
        Operand(name: "SHELL", values: .oneOf(Shell.allCases.map(\.rawValue)))
    ]
    static let details = """
        Write the script where the shell looks for it, and open a new shell:

          bash  ~/.local/share/bash-completion/completions/replay, or source it in ~/.bashrc
          zsh   a file named _replay in a folder of $fpath
          fish  ~/.config/fish/completions/replay.fish
        """
    static let examples = [
        Example("a script for bash", "replay completions bash > replay.bash"),
        Example("a script for zsh", "replay completions zsh > _replay"),
        Example("a script for fish", "replay completions fish > replay.fish"),
    ]

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
