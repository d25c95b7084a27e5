/// The help, made from the lists of commands, options and exit statuses.
enum HelpText {
    static let purpose = "checks purchase event logs against the rules of In-App Purchase"

    static let conventions = """
        LOG is a file, several files, a folder (each of its *.jsonl files is a log), or - for
        standard input. A file that begins with log.opened begins a log of its own; any other
        continues the file before it. A folder that has files named by sixteen digits and .jsonl
        is one log, and those files are its segments.

        Write options as --name=VALUE or --name VALUE; -- ends the options. TIME is
        2026-02-20T09:00:00Z, or a day alone for its first instant. Colour appears only on a
        terminal; set NO_COLOR=1 to turn it off.
        """

    static var ofTool: String {
        let groups = CommandCatalogue.groups.map { group in
            (group.title, group.commands.map { ($0.usage, $0.summary) })
        }
        let width = columnWidth(groups.flatMap(\.1))
        let lists = groups.map { title, rows in
            let version = title == CommandCatalogue.groups.last?.title
            let rest = version ? [("replay --version", VersionCommand.summary)] : []
            return "\(title):\n" + columns(rows + rest, width)
        }
        return """
            replay: \(purpose)

            \(lists.joined(separator: "\n\n"))

            `replay help COMMAND` shows the options of a command, with examples.

            \(conventions)

            \(section(of: ToolStatus.allCases.map { ($0, $0.meaning) }))
            """
    }

    static func of(_ command: any ToolCommand.Type) -> String {
        var paragraphs = [command.usage + "\n" + command.summary]
        paragraphs.append("Options:\n" + columns(command.allOptions.map { ($0.usage, $0.summary) }))
        if !command.details.isEmpty { paragraphs.append(command.details) }
        let examples = command.examples.map { "  # \($0.purpose)\n  \($0.line)" }
        paragraphs.append("Examples:\n" + examples.joined(separator: "\n"))
        paragraphs.append(section(of: command.exitStatuses))
        return paragraphs.joined(separator: "\n\n")
    }

    /// A list for the text of a command: indented names, and beside each its text.
    static func list(_ rows: [(name: String, text: String)]) -> String {
        let width = rows.map { $0.name.count }.max() ?? 0
        return rows.map { "  \(TextFormat.padded($0.name, width))  \($0.text)" }
            .joined(separator: "\n")
    }

    private static func section(of statuses: [(status: ToolStatus, meaning: String)]) -> String {
        "Exit status:\n" + columns(statuses.map { (String($0.status.rawValue), $0.meaning) })
    }

    private static func columnWidth(_ rows: [(String, String)]) -> Int {
        min(28, rows.map { $0.0.count }.max() ?? 0)
    }

    /// Two columns, the second wrapped at column 88; a row whose first cell is wider than `width`
    /// takes two lines.
    private static func columns(_ rows: [(String, String)], _ width: Int? = nil) -> String {
        let width = width ?? columnWidth(rows)
        let indent = TextFormat.spaces(width + 4)
        return rows.map { row in
            let lines = TextFormat.wrapped(row.1, 88 - indent.count)
            let first = "  " + TextFormat.padded(row.0, width)
            let text = lines.joined(separator: "\n" + indent)
            return row.0.count > width ? "\(first)\n\(indent)\(text)" : "\(first)  \(text)"
        }.joined(separator: "\n")
    }
}
