/// What the help says of a command: a line, paragraphs of at most 92 columns, the command's
/// examples, and what its own exit statuses mean.
///
/// commands.txt, which the tool embeds, has a section for each command after `== `, its name and
/// the line. An example is a line after `# ` with its purpose, then the command line, then, unless
/// the status is 0, `exit` and the status.
struct CommandText: Sendable {
    let summary: String
    let details: String
    private(set) var examples: [Example] = []
    private(set) var statuses: [ToolStatus: String] = [:]

    static func of(_ command: String) -> CommandText { all[command] ?? CommandText("", "") }

    private static let all = Dictionary(
        uniqueKeysWithValues: EmbeddedFiles.commands.split(separator: "== ").map { section in
            let parts = section.split(separator: "\n", maxSplits: 1).map(String.init)
            let title = parts[0].split(separator: ": ", maxSplits: 1).map(String.init)
            return (title[0], CommandText(title[1], parts[1]))
        })

    private init(_ summary: String, _ section: String) {
        self.summary = summary
        let parts = section.split(separator: "Examples:\n", omittingEmptySubsequences: false)
        // A blank line stands before the examples.
        details = String(parts[0].dropLast(2))
        for line in parts.last?.split(separator: "\n") ?? [] where line.hasPrefix("  ") {
            let words = line.split(separator: " ", maxSplits: 1)
            let rest = String(words[1].drop { $0 == " " })
            if words[0] == "#" {
                examples.append(Example(purpose: rest))
            } else if let status = ToolStatus(words[0]) {
                statuses[status] = rest
            } else if words[0] == "exit" {
                examples[examples.count - 1].status = ToolStatus(rest) ?? .well
            } else {
                examples[examples.count - 1].line = String(line.dropFirst(2))
            }
        }
    }
}

extension ToolStatus {
    fileprivate init?(_ digits: some StringProtocol) {
        guard let number = Int32(digits) else { return nil }
        self.init(rawValue: number)
    }
}

extension String {
    /// The text with each list in the place of its name in braces.
    func filled(_ lists: [String: String]) -> String {
        lists.reduce(self) { text, list in text.replacing("{\(list.key)}", with: list.value) }
    }
}
