/// A command of the tool: its arguments as one value, checked before anything is done.
///
/// The static members are the one description of the command: parsing, help, man page and
/// completion scripts read them.
protocol ToolCommand: Sendable {
    /// The word that asks for the command.
    static var name: String { get }
    /// What the command does, in one line.
    static var summary: String { get }
    /// The operands, in order; only the last may repeat.
    static var operands: [Operand] { get }
    /// The options, in the order of the help; `--help` is added to each command.
    static var options: [Option] { get }
    /// What else the help says: paragraphs of at most 92 columns, a blank line between them.
    static var details: String { get }
    /// At least one use; a test runs each.
    static var examples: [Example] { get }
    /// What the exit statuses mean for this command, where they say more than the general meaning;
    /// `violated` and `undetermined` are given by no command that doesn't list them.
    static var statuses: [ToolStatus: String] { get }

    /// Reads and checks the arguments.
    init(_ given: Given) throws(UsageError)

    /// Does what the arguments ask for, and returns the exit status.
    func run(_ session: ToolSession) throws -> ToolStatus
}

extension ToolCommand {
    static var statuses: [ToolStatus: String] { [:] }

    /// The command line as the help shows it: `replay check LOG…`.
    static var usage: String {
        (["replay", name] + operands.map(\.usage)).joined(separator: " ")
    }

    /// The options that the command takes, `--help` among them.
    static var allOptions: [Option] { options + [.help] }

    /// The exit statuses that the command can end with, each with its meaning.
    static var exitStatuses: [(status: ToolStatus, meaning: String)] {
        ToolStatus.allCases.compactMap { status in
            if let meaning = statuses[status] { return (status, meaning) }
            let isAnswer = status == .violated || status == .undetermined
            return isAnswer ? nil : (status, status.meaning)
        }
    }
}
