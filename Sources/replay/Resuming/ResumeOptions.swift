/// The options `--resume` and `--restart` of a command.
struct ResumeOptions {
    let path: String
    let isRestart: Bool
    private let command: String

    /// The options, or `nil` without `--resume`.
    ///
    /// - Parameter others: The options that don't go with `--resume`.
    init?(_ given: ParsedArguments, excluding others: [Option]) throws(UsageError) {
        guard let path = given.value(.resume) else {
            guard given.has(.restart) else { return nil }
            throw UsageError("`--restart` goes with --resume")
        }
        if let other = others.first(where: { given.has($0) }) {
            throw UsageError("`--resume` and `--\(other.name)` exclude each other")
        }
        self.path = path
        isRestart = given.has(.restart)
        command = given.command
    }

    /// Opens the file for a run over these logs.
    ///
    /// - Parameters:
    ///   - typed: The paths of the arguments.
    ///   - identity: What the command and its options make of a log.
    func file(
        _ typed: [String], _ logs: [InputLog], identity: [String], _ session: ToolSession
    ) throws -> ResumeFile {
        try session.preventOverwriting(typed, logs, with: path, of: .resume)
        let words = [Tool.version, command] + identity
        return try ResumeFile(
            path, words.joined(separator: "\n"), logs, isRestart: isRestart, session)
    }
}
