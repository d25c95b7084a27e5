/// The completion script for fish, 3.1 or later.
enum FishCompletion {
    static var script: String {
        var lines = ["complete -c replay -f"]
        for command in CommandCatalogue.all {
            lines.append(
                "complete -c replay -n __replay_first -a \(command.name) -d "
                    + quoted(command.summary))
        }
        for option in Shell.toolOptions {
            lines.append(
                "complete -c replay -n __replay_first -l \(option.name) -d "
                    + quoted(option.summary))
        }
        for command in CommandCatalogue.all {
            lines += command.allOptions.map { line(for: $0, of: command) }
            lines += command.operands.enumerated().compactMap { index, operand in
                let last = operand.repeats ? 9_999 : index
                let place = "'__replay_at \(command.name) \(index) \(last)'"
                return values(operand.values).map { "complete -c replay -n \(place) \($0)" }
            }
        }
        return Shell.filled(
            EmbeddedFiles.fish,
            ["valued": valuedOptions, "completions": lines.joined(separator: "\n")])
    }

    private static var valuedOptions: String {
        let names = CommandCatalogue.all.flatMap { $0.options }.filter { $0.value != nil }
        return Set(names.map { "--\($0.name)" }).sorted().joined(separator: " ")
    }

    private static func line(for option: Option, of command: any ToolCommand.Type) -> String {
        var line = "complete -c replay -n '__replay_at \(command.name)' -l \(option.name)"
        if option.value != nil { line += " \(values(option.values) ?? "-x")" }
        return line + " -d \(quoted(option.summary))"
    }

    /// The completion of a value in fish; `nil` if there is nothing to offer.
    private static func values(_ values: ArgumentValues) -> String? {
        switch values {
        case .text: nil
        case .path: "-r -F"
        case .oneOf(let words), .suggested(let words):
            "-x -a \(quoted(words.joined(separator: " ")))"
        case .list(let words):
            "-x -a \(quoted("(__fish_append , \(words.joined(separator: " ")))"))"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
