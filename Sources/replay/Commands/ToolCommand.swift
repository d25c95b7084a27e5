/// A command, with its arguments as one value that is checked before anything is done. Parsing,
/// help, man page and completion scripts all read the static members.
protocol ToolCommand: Sendable {
    static var name: String { get }
    static var summary: String { get }
    /// The operands, in order; none by default, and only the last may repeat.
    static var operands: [Operand] { get }
    /// The options, in the order of the help; none by default. Each command also has `--help`.
    static var options: [Option] { get }
    /// The lists that the command's text in commands.txt names in braces; none by default.
    static var lists: [String: String] { get }

    init(_ given: ParsedArguments) throws(UsageError)

    func run(_ session: ToolSession) throws -> ToolStatus
}

extension ToolCommand {
    static var operands: [Operand] { [] }
    static var options: [Option] { [] }
    static var lists: [String: String] { [:] }

    static var summary: String { CommandText.of(name).summary }

    /// The rest of the help: paragraphs, separated by blank lines.
    static var details: String { CommandText.of(name).details.filled(lists) }

    /// At least one example; a test runs each.
    static var examples: [Example] { CommandText.of(name).examples }

    /// The meanings of exit statuses that are specific to this command; only one that lists
    /// `violated` or `undetermined` can end with that status.
    static var statuses: [ToolStatus: String] { CommandText.of(name).statuses }

    /// The command line in the help, such as `replay check LOG…`.
    static var usage: String { (["replay", name] + operands.map(\.usage)).joined(separator: " ") }

    static var allOptions: [Option] { options + [.help] }

    static var exitStatuses: [(status: ToolStatus, meaning: String)] {
        ToolStatus.allCases.compactMap { status in
            if let meaning = statuses[status] { return (status, meaning) }
            let isAnswer = status == .violated || status == .undetermined
            return isAnswer ? nil : (status, status.meaning)
        }
    }
}
