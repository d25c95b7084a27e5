struct ResumeOptions {
    let path: String
    let isRestart: Bool
    private let command: String

    /// Returns `nil` without `--resume`; `others` are the options that don't go with it.
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

    /// Opens the file for a run over the logs at the typed paths; `identity` says what the command
    /// and its options make of a log.
    func file(
        _ typed: [String], _ logs: [InputLog], identity: [String], _ session: ToolSession
    ) throws -> ResumeFile {
        try session.preventOverwriting(typed, logs, with: path, of: .resume)
        let words = [Tool.version, command] + identity
        return try ResumeFile(
            path, words.joined(separator: "\n"), logs, isRestart: isRestart, session)
    }
}
