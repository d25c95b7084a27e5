/// The help, made from the tables of commands, options and exit statuses.
enum HelpText {
    /// The help of the tool.
    static var ofTool: String {
        let commands = CommandCatalogue.all.map { ("replay \($0.name) \($0.operands)", $0.summary) }
        let rest = [("replay --version", VersionCommand.summary)]
        return """
            replay: holds purchase event logs against the rules of In-App Purchase

            \(columns(commands + rest))

            LOG is a file, several files, a folder (each of its *.jsonl files is a log), or - for
            standard input. A file that begins with log.opened begins a log of its own; any other
            continues the one before it. A folder with files named by sixteen digits and .jsonl is
            one log, and those are its segments.

            Options are written --name=VALUE or --name VALUE; -- ends them. TIME is
            2026-02-20T09:00:00Z, or a day alone for its first instant. `replay help COMMAND` lists
            the options of a command.

            \(statuses)
            """
    }

    /// The help of a command.
    static func of(_ command: any ToolCommand.Type) -> String {
        let usage = ["replay", command.name, command.operands].filter { !$0.isEmpty }
        var paragraphs = [usage.joined(separator: " ") + "\n" + command.summary]
        let options = (command.options + [.help]).map { ($0.usage, $0.summary) }
        paragraphs.append("Options:\n" + columns(options))
        if !command.details.isEmpty { paragraphs.append(command.details) }
        paragraphs.append(statuses)
        return paragraphs.joined(separator: "\n\n")
    }

    private static var statuses: String {
        let rows = ToolStatus.allCases.map { (String($0.rawValue), $0.meaning) }
        return "Exit status:\n" + columns(rows)
    }

    /// Two columns, the second wrapped at 88.
    private static func columns(_ rows: [(String, String)]) -> String {
        let width = min(28, rows.map { $0.0.count }.max() ?? 0)
        let indent = String(repeating: " ", count: width + 4)
        return rows.map { row in
            let lines = Words.wrapped(row.1, 88 - indent.count)
            let first = "  " + Words.padded(row.0, width)
            let text = lines.joined(separator: "\n" + indent)
            return row.0.count > width ? "\(first)\n\(indent)\(text)" : "\(first)  \(text)"
        }.joined(separator: "\n")
    }
}
