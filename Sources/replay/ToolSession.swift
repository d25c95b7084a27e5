import PurchaseEvents
import PurchaseProjections

/// One run of the tool: where it reads and writes, and what it could not use.
final class ToolSession {
    let host: any Host
    let output: Output
    /// The rules that `check` runs and `rules` lists.
    let rules: [any Rule.Type]
    /// How standard output is coloured.
    let style: Style
    /// Whether an input was no log, so that not everything that was given was looked at.
    private(set) var hasRefused = false
    /// Whether there was an input that couldn't be read, and the run went on without it.
    private(set) var hasMissed = false
    /// Whether a log names the account that is asked for.
    private var hasNamedAccount = false
    /// What was folded of the log that was read last, until the next one is begun: nobody asks for
    /// it, but at the end its memory goes with the process, at once instead of table by table.
    var latestFold: Any?

    init(_ host: any Host, rules: [any Rule.Type]) {
        self.host = host
        self.rules = rules
        output = Output(host)
        style = Style(host, .output)
    }

    /// Writes to standard error as it is; where that fails there is nobody to tell.
    func writeError(_ text: String) {
        let bytes = Array(text.utf8)
        try? bytes.withUnsafeBytes { try host.write($0, to: .error) }
    }

    /// Tells something on standard error.
    func tell(_ message: String) { writeError("replay: \(message)\n") }

    /// Tells that an input is no log; the run goes on without it.
    func refuse(_ message: String) {
        hasRefused = true
        tell(message)
    }

    /// Tells that an input can't be read; the run goes on without it, and ends as it must.
    func miss(_ message: String) {
        hasMissed = true
        tell(message)
    }

    /// Tells that lines were not understood, where some were: the answer rests on the others.
    func tellNotUnderstood(_ counts: LineCounts, in log: InputLog) {
        guard counts.notUnderstood > 0 else { return }
        let name = EscapedText.escape(log.name)
        tell(
            "\(Words.count(counts.notUnderstood, "line")) of \(name) not understood, so the answer "
                + "may be incomplete; `replay check \(name)` says why")
    }

    /// Tells that a log holds nothing but blank lines, where it does: it is none, as an empty one
    /// is none.
    func refuseBlank(_ counts: LineCounts, _ log: InputLog) {
        guard counts.isBlank else { return }
        refuse(
            "\(EscapedText.escape(log.name)) holds nothing but blank lines: expected a log, whose "
                + "first line is log.opened")
    }

    /// Takes in whether a log names the account that is asked for.
    func look(for account: String?, in names: NameTable) {
        let isNamed = account.map { names.find(AccountID<Written>($0)) != nil } ?? true
        hasNamedAccount = hasNamedAccount || isNamed
    }

    /// Tells that no log names the account that was asked for, where logs were read: an answer of
    /// nothing would look like all was well with it.
    func tellUnnamed(_ account: String?, in logs: [InputLog]) {
        guard let account, !logs.isEmpty, !hasNamedAccount else { return }
        tell("no line names the account `\(EscapedText.escape(account))`")
    }

    /// The logs that arguments name.
    ///
    /// - Parameter keepingEmpty: whether a file without a byte counts as a log.
    func logs(
        _ paths: [String], isReadAgain: Bool = false, keepingEmpty: Bool = false
    ) throws(ToolError) -> [InputLog] {
        var finder = LogFinder(self, isReadAgain: isReadAgain, keepsEmpty: keepingEmpty)
        return try finder.find(paths)
    }

    /// The one log that arguments name; `nil` where it is no log.
    func oneLog(_ paths: [String], for command: String) throws -> InputLog? {
        let logs = try logs(paths, keepingEmpty: true)
        guard logs.count <= 1 else {
            throw UsageError(
                "expected one log, seen \(logs.count): `\(logs[0].name)` and others",
                command: command)
        }
        return logs.first
    }

    /// All the bytes of one file, or of standard input, of which there may be only so many;
    /// `advice` says what to do with more.
    func bytes(
        of path: String, atMost limit: Int, advice: String
    ) throws(ToolError) -> [UInt8] {
        try InputPart.all(of: source(of: path), path, atMost: limit, advice: advice)
    }

    /// The first bytes of one file, or of standard input: so many, or all where there are fewer.
    func bytes(of path: String, upTo count: Int) throws(ToolError) -> [UInt8] {
        try InputPart.all(of: LimitedSource(source(of: path), count), path)
    }

    /// One file, or standard input.
    private func source(of path: String) throws(ToolError) -> any ByteSource {
        let shown = EscapedText.escape(path)
        do throws(SystemProblem) {
            let isFolder = path == "-" ? false : try host.kind(of: path) == .folder
            if !isFolder { return try host.source(of: path) }
        } catch {
            throw .noInput("cannot read `\(shown)`: \(error.words)")
        }
        throw .noInput("`\(shown)` is a folder: expected a file")
    }
}
