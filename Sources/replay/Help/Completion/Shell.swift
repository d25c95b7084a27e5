enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }

    /// An embedded script, filled with lists, without its last end of line.
    static func filled(_ script: String, _ lists: [String: String]) -> String {
        String(script.dropLast()).filled(lists)
    }

    /// The options that can take the place of a command.
    static let toolOptions = [Option.help, Option("version", VersionCommand.summary)]
}
