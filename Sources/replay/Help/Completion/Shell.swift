/// A shell that can complete the tool's command lines: the one list of them.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The script that teaches the shell every command, option and value.
    var script: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }

    /// The options that stand in the place of a command.
    static let toolOptions = [
        Option.help, Option(name: "version", value: nil, summary: VersionCommand.summary),
    ]
}
