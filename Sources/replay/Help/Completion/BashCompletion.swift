/// The completion script for bash 3.2 or later, which needs no other package.
///
/// The values of an argument are a word list, `@path`, `@text` (nothing to offer), or a comma and a
/// word list from which several words may be chosen.
enum BashCompletion {
    static var script: String {
        Shell.filled(
            EmbeddedFiles.bash,
            [
                "first words": firstWords,
                "commands": CommandCatalogue.all.map { commandCase($0) }.joined(separator: "\n"),
            ])
    }

    /// The words that can take the place of a command.
    private static var firstWords: String {
        (CommandCatalogue.all.map { $0.name } + Shell.toolOptions.map(\.usage))
            .joined(separator: " ")
    }

    /// The branch of the script for a command line of this command.
    private static func commandCase(_ command: any ToolCommand.Type) -> String {
        let options = command.allOptions
        // The last operand in the list also applies to all further ones.
        var operands = command.operands.map { "'\(text(of: $0.values))'" }
        if command.operands.last?.repeats != true { operands.append("@text") }
        var lines = [
            "            \(command.name))",
            "                options='\(options.map { "--\($0.name)" }.joined(separator: " "))'",
            "                valued='"
                + options.filter { $0.value != nil }.map { "--\($0.name)" }.joined(separator: " ")
                + "'",
            "                operands=(\(operands.joined(separator: " ")))",
        ]
        let cases = options.filter { $0.value != nil }.map { option in
            "                    --\(option.name)) values='\(text(of: option.values))' ;;"
        }
        if !cases.isEmpty {
            lines.append("                case $prev in")
            lines += cases
            lines.append("                esac")
        }
        return lines.joined(separator: "\n") + " ;;"
    }

    private static func text(of values: ArgumentValues) -> String {
        switch values {
        case .text: "@text"
        case .path: "@path"
        case .oneOf(let words), .suggested(let words): words.joined(separator: " ")
        case .list(let words): "," + words.joined(separator: " ")
        }
    }
}
