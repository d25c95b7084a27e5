/// What the help says of a command in paragraphs of at most 92 columns, and the command's examples.
///
/// The build embeds commands.txt, which has a section for each command after `== ` and its name. An
/// example is a line after `# ` with its purpose, then the command line, then, unless the status is
/// 0, `exit` and the status.
struct CommandText: Sendable {
    let details: String
    let examples: [Example]

    static func of(_ command: String) -> CommandText { all[command] ?? CommandText("") }

    private static let all = Dictionary(
        uniqueKeysWithValues: String(decoding: PackageResources.commands_txt, as: UTF8.self)
            .split(separator: "== ").map { section in
                let parts = section.split(separator: "\n", maxSplits: 1).map(String.init)
                return (parts[0], CommandText(parts[1]))
            })

    private init(_ section: String) {
        let parts = section.split(separator: "Examples:\n", omittingEmptySubsequences: false)
        // A blank line stands before the examples.
        details = String(parts[0].dropLast(2))
        var examples: [Example] = []
        for line in parts.last?.split(separator: "\n") ?? [] {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("# ") {
                examples.append(Example(purpose: String(line.dropFirst(2))))
            } else if let number = Int32(line.trimmingPrefix("exit ")),
                let status = ToolStatus(rawValue: number)
            {
                examples[examples.count - 1].status = status
            } else {
                examples[examples.count - 1].line = String(line)
            }
        }
        self.examples = examples
    }
}

extension String {
    /// The text with each list in the place of its name in braces.
    func filled(_ lists: [String: String]) -> String {
        lists.reduce(self) { text, list in text.replacing("{\(list.key)}", with: list.value) }
    }
}
