/// The completion script for zsh, to be saved as `_replay` in a folder of `fpath`.
enum ZshCompletion {
    static var script: String {
        let commands = CommandCatalogue.all.map { command in
            "                \(quoted("\(command.name):\(escaped(command.summary))"))"
        }
        let cases = CommandCatalogue.all.map { command in
            let specifications =
                command.allOptions.map { specification(of: $0) } + operands(of: command)
            return "                \(command.name))\n                    _arguments -S \\\n"
                + specifications.map { "                        \(quoted($0))" }
                .joined(separator: " \\\n") + " ;;"
        }
        let options = Shell.toolOptions.map { option in
            "        \(quoted("(- *)--\(option.name)[\(escaped(option.summary))]")) \\"
        }
        return Shell.filled(
            EmbeddedFiles.zsh,
            ["options": options, "commands": commands, "cases": cases].mapValues {
                $0.joined(separator: "\n")
            })
    }

    private static func specification(of option: Option) -> String {
        let repeats = option.repeats ? "*" : ""
        let summary = "[\(escaped(option.summary))]"
        guard let value = option.value else { return "\(repeats)--\(option.name)\(summary)" }
        let message = escaped(option.values.words.isEmpty ? value : option.name)
        return "\(repeats)--\(option.name)=\(summary):\(message):\(action(option.values))"
    }

    private static func operands(of command: any ToolCommand.Type) -> [String] {
        command.operands.enumerated().map { index, operand in
            let place = operand.repeats ? "*" : String(index + 1)
            let optional = operand.isOptional ? "::" : ":"
            return "\(place)\(optional)\(escaped(operand.name)):\(action(operand.values))"
        }
    }

    private static func action(_ values: ArgumentValues) -> String {
        switch values {
        case .text: " "
        case .path: "_files"
        case .oneOf(let words), .suggested(let words): "(\(words.joined(separator: " ")))"
        case .list(let words): "_values -s , name \(words.joined(separator: " "))"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing([":": "\\:", "[": "\\[", "]": "\\]"])
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: "'\\''"))'"
    }
}
