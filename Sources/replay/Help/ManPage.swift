/// The man page, made from the same lists as the help, in the macros of man(7).
enum ManPage {
    static var text: String {
        var lines = [
            #".TH REPLAY 1 "" "replay \#(Tool.version)" "User Commands""#,
            ".SH NAME", #"replay \- \#(escaped(HelpText.purpose))"#,
            ".SH SYNOPSIS", ".B replay",
            #"\fICOMMAND\fR [\fIOPTION\fR]\&... [\fIARGUMENT\fR]\&..."#,
            ".SH DESCRIPTION",
        ]
        lines += body(HelpText.conventions)
        lines.append(".SH COMMANDS")
        for command in CommandCatalogue.all { lines += section(of: command) }
        lines.append(".SH EXIT STATUS")
        for status in ToolStatus.allCases {
            lines += entry(String(status.rawValue), status.meaning)
        }
        lines.append(".SH ENVIRONMENT")
        lines += entry("NO_COLOR", "any non-empty value turns colour off")
        lines += entry(
            "TERM", "with the value dumb, no colour and no control sequences are printed")
        return lines.joined(separator: "\n")
    }

    private static func section(of command: any ToolCommand.Type) -> [String] {
        var lines = [".SS \(escaped(command.usage))", "\(sentence(command.summary))"]
        for option in command.allOptions { lines += entry(option.usage, option.summary) }
        if !command.details.isEmpty { lines += [".PP"] + body(command.details) }
        lines += [".PP", "Examples:"]
        for example in command.examples {
            lines += [".PP", "\(sentence(example.purpose)):".replacing(".:", with: ":")]
            lines += literal(["  " + example.line])
        }
        let own = command.exitStatuses.filter { command.statuses[$0.status] != nil }
        if !own.isEmpty {
            lines += [".PP", "Exit status:"]
            for (status, meaning) in own { lines += entry(String(status.rawValue), meaning) }
        }
        return lines
    }

    private static func entry(_ term: String, _ meaning: String) -> [String] {
        [".TP", "\\fB\(escaped(term))\\fR", escaped(meaning)]
    }

    /// Paragraphs of the help; indented lines are printed verbatim.
    private static func body(_ text: String) -> [String] {
        var lines: [String] = []
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var rest = rows[...]
        while let row = rest.first {
            if row.isEmpty {
                rest.removeFirst()
                // A literal block starts a new paragraph.
                if rest.first?.hasPrefix("  ") == false { lines.append(".PP") }
            } else if row.hasPrefix("  ") {
                let block = rest.prefix { $0.hasPrefix("  ") }
                rest.removeFirst(block.count)
                lines += literal(Array(block))
            } else {
                lines.append(escaped(row))
                rest.removeFirst()
            }
        }
        return lines
    }

    private static func literal(_ rows: [String]) -> [String] {
        [".PP", ".nf"] + rows.map { escaped($0) } + [".fi"]
    }

    private static func sentence(_ text: String) -> String {
        escaped(text.prefix(1).uppercased() + text.dropFirst() + ".")
    }

    /// A text escaped for roff: signs that it would replace by typographic ones, characters outside
    /// ASCII, and a full stop at the beginning.
    private static func escaped(_ text: String) -> String {
        let signs = text.replacing([
            "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
        ])
        let escaped = signs.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
            return scalar.isASCII ? String(scalar) : "\\[u\(zeros)\(digits)]"
        }.joined()
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }
}
