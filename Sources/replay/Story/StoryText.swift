import PurchaseEvents
import PurchaseProjections

/// Prints a story for human readers: one line for each event, with its effects indented below.
struct StoryText {
    let style: Style
    private let lines: [StoryLine]
    private let numberWidth: Int
    /// Whether the lines concern several transactions or payments, several accounts, or several
    /// devices, so that each line must name its own.
    private let namesKeys: Bool, namesAccounts: Bool, namesDevices: Bool
    /// Whether any line concerns a test environment, so that each line must name its environment.
    private let namesEnvironments: Bool
    private let endings: [PhaseChange]

    init(_ lines: [StoryLine], endings: [PhaseChange], style: Style) {
        (self.lines, self.endings, self.style) = (lines, endings, style)
        numberWidth = max(4, lines.map { String($0.line).count }.max() ?? 0)
        namesKeys =
            Set(lines.compactMap(\.transaction?.exact)).count > 1
            || Set(lines.compactMap(\.payment?.exact)).count > 1
        namesAccounts = Set(lines.compactMap(\.account?.exact)).count > 1
        namesDevices = Set(lines.compactMap(\.device?.exact)).count > 1
        namesEnvironments = lines.contains { $0.environment != .production }
    }

    func write(to output: Output) throws(ToolError) {
        var path = lines.first?.path
        var before = ""
        for line in lines {
            if line.path.exact != path?.exact {
                try output.line("in \(line.path.escaped):")
                path = line.path
            }
            let names = names(of: line)
            // Omit names that repeat, except on a line of a test environment.
            let isKnown = names.exact == before.exact && line.environment == .production
            try write(line, isKnown ? "" : names, to: output)
            before = names
        }
        try writeEndings(to: output)
    }

    /// Prints the final phases of the first ten subjects, and the number of the others.
    private func writeEndings(to output: Output) throws(ToolError) {
        let shown = endings.prefix(10)
        guard !shown.isEmpty else { return }
        try output.line("")
        for ending in shown {
            let subject = EscapedText.escape("\(ending.subject) \(ending.key)")
            try output.line("at the end, \(subject): \(style.strong(ending.after.words))")
        }
        if endings.count > shown.count {
            try output.line("and \((endings.count - shown.count).grouped) more")
        }
    }

    private func write(_ line: StoryLine, _ names: String, to output: Output) throws(ToolError) {
        let number = TextFormat.right(line.line, numberWidth)
        let words = line.words.escaped
        let text = line.isContext ? style.faint(words) : words
        try output.line("\(number)  \(TextFormat.second(line.at))  \(text)\(names)")
        let indent = TextFormat.spaces(numberWidth + 4)
        for change in line.changes {
            // In a story about one purchase, the subject's name is obvious.
            let subject = namesKeys ? "\(change.subject) \(change.key)" : change.subject
            try output.line(
                "\(indent)\(style.faint(subject.escaped + ":")) "
                    + "\(change.before.words) → \(style.strong(change.after.words))")
        }
        if line.isForbidden {
            try output.line("\(indent)impossible at this point, so it changes nothing")
        }
        for member in line.unknown {
            try output.line("\(indent)unknown key \(member.key.escaped): " + member.value.escaped)
        }
        for finding in line.findings { try write(finding, indent, to: output) }
    }

    private func write(_ finding: Remark, _ indent: String, to output: Output) throws(ToolError) {
        let code = style.strong("[\(finding.code)]")
        try output.line(
            "\(indent)\(style.level(finding.level)): \(code) \(finding.message.escaped)")
        for note in finding.notes {
            let place = note.path.exact == finding.path.exact ? "" : note.path.escaped + ", "
            try output.line("\(indent)  \(place)line \(note.line): \(note.message.escaped)")
        }
        if let hint = finding.hint {
            try output.line("\(indent)  \(style.strong("hint")): \(hint.escaped)")
        }
    }

    private func names(of line: StoryLine) -> String {
        var names: [String] = []
        if namesKeys, let transaction = line.transaction {
            names.append("transaction \(transaction)")
        } else if namesKeys, let payment = line.payment {
            names.append("payment \(payment)")
        }
        if namesAccounts, let account = line.account { names.append("account \(account)") }
        if namesDevices, let device = line.device { names.append("on \(device)") }
        if let source = line.source { names.append("notification \(source)") }
        if namesEnvironments { names.append("in \(line.environment.rawValue)") }
        guard !names.isEmpty else { return "" }
        return style.faint("  [\(names.joined(separator: ", ").escaped)]")
    }
}
