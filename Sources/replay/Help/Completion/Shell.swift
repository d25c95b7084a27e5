/// The shells that can complete the tool's command lines.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The script that lets the shell complete every command, option and value.
    var script: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }

    /// A script that the build embeds, filled with lists, without its last end of line.
    static func filled(_ script: [UInt8], _ lists: [String: String]) -> String {
        String(decoding: script.dropLast(), as: UTF8.self).filled(lists)
    }

    /// The options that can take the place of a command.
    static let toolOptions = [Option.help, Option("version", VersionCommand.summary)]
}
