import PurchaseEvents
import PurchaseProjections

/// One run of the tool: its input and output, and the inputs that it couldn't use.
final class ToolSession {
    let host: any Host
    let output: Output
    let rules: [any Rule.Type]
    let style: Style
    /// Whether an input wasn't a whole log, so that the answer is incomplete.
    private(set) var hasRefusedInput = false
    /// Whether an input couldn't be read, and the run continued without it.
    private(set) var hasMissed = false
    private var hasNamedAccount = false
    /// The latest log's fold, kept alive so that the process ends without freeing its tables one by
    /// one.
    var latestFold: Any?

    init(_ host: any Host, rules: [any Rule.Type]) {
        (self.host, self.rules) = (host, rules)
        output = Output(host)
        style = Style(host, .output)
    }

    /// Writes text to standard error verbatim; an error there can't be reported and is ignored.
    func writeError(_ text: String) {
        try? Array(text.utf8).withUnsafeBytes { try host.write($0, to: .error) }
    }

    func tell(_ message: String) { writeError("replay: \(message)\n") }

    /// Reports that an input isn't a log, or lacks a part; the run continues with the rest.
    func refuse(_ message: String) {
        hasRefusedInput = true
        tell(message)
    }

    /// Reports that an input can't be read; the run continues without it and ends with status 66.
    func miss(_ message: String) {
        hasMissed = true
        tell(message)
    }

    /// The status of the run, given a command's own: a run that missed an input, or refused one,
    /// is never well.
    func ending(_ status: ToolStatus) -> ToolStatus {
        if hasMissed { return .noInput }
        return status == .well && hasRefusedInput ? .undetermined : status
    }

    func tellNotUnderstood(_ counts: LineCounts, in log: InputLog) {
        guard counts.notUnderstood > 0 else { return }
        let name = log.name.escaped
        tell(
            "\(counts.notUnderstood.counted("line")) of \(name) not understood, so the "
                + "answer may be incomplete: `replay check \(name)` says why")
    }

    /// Refuses an input that begins with a document of the App Store; returns whether it does.
    func refuseDocument(_ head: InputHead, _ path: String) -> Bool {
        guard let words = head.document(named: path) else { return false }
        let shown = path.escaped
        refuse(
            "\(shown) is \(words), not a log: `replay import app-store \(shown) | replay check "
                + "-` makes a log of it and checks the log")
        return true
    }

    func refuseEmpty(_ log: InputLog) {
        refuse("\(log.name.escaped) is empty: expected a log, whose first line is log.opened")
    }

    func refuseBlank(_ counts: LineCounts, _ log: InputLog) {
        if counts.isBlank { refuseBlank(log) }
    }

    func refuseBlank(_ log: InputLog) {
        refuse(
            "\(log.name.escaped) contains only blank lines: expected a log, whose "
                + "first line is log.opened")
    }

    func noteWhether(_ account: String?, isNamedIn names: NameTable) {
        let isNamed = account.map { names.find(AccountID<Written>($0)) != nil } ?? true
        hasNamedAccount = hasNamedAccount || isNamed
    }

    /// Reports that no log names the account of `--account`, because an empty answer would look as
    /// if the account were in order.
    func tellUnnamed(_ account: String?, in logs: [InputLog]) {
        guard let account, !logs.isEmpty, !hasNamedAccount else { return }
        tell("no line names the account `\(account.escaped)`")
    }

    /// The logs that the arguments name, as ``LogFinder`` finds them.
    func logs(
        _ paths: [String], isReadAgain: Bool = false, keepingEmpty: Bool = false,
        apart: Bool = false
    ) throws(ToolError) -> [InputLog] {
        var finder = LogFinder(
            session: self, isReadAgain: isReadAgain, keepsEmpty: keepingEmpty, keepsApart: apart)
        return try finder.find(paths)
    }

    /// The single log that the arguments name; `nil` if the input isn't a log. Several are a usage
    /// error.
    func oneLog(
        _ paths: [String], isReadAgain: Bool = false, keepingEmpty: Bool = true
    ) throws -> InputLog? {
        let logs = try logs(paths, isReadAgain: isReadAgain, keepingEmpty: keepingEmpty)
        guard logs.count <= 1 else {
            throw UsageError("expected one log, seen \(logs.count): `\(logs[0].name)` and others")
        }
        return logs.first
    }

    /// Throws if writing a file would replace an input, even under another path: one of those that
    /// the arguments name, or a part of a log found there.
    func preventOverwriting(
        _ typed: [String], _ logs: [InputLog], with file: String, of option: Option
    ) throws(UsageError) {
        let paths = typed + logs.flatMap(\.parts).map(\.path)
        guard let path = paths.first(where: { $0 != "-" && host.isSame($0, file) }) else { return }
        throw UsageError(
            "`--\(option.name)=\(file.escaped)` would overwrite the "
                + "input `\(path.escaped)`: name another file")
    }

    /// Replaces a file in one step, so that the file never holds only a part of the bytes.
    func replace(_ path: String, with bytes: [UInt8]) throws(ToolError) {
        try ToolError.asking(
            to: .write, path,
            try bytes.withBytes { bytes throws(SystemProblem) in
                try host.replace(path, with: bytes)
            })
    }

    /// All bytes of a file, or of standard input; more than `limit` bytes are an error that ends
    /// with `advice`.
    func bytes(of path: String, atMost limit: Int, advice: String) throws(ToolError) -> [UInt8] {
        try InputPart.all(of: source(of: path), path, atMost: limit, advice: advice)
    }

    /// The first bytes of a file, or of standard input: at most `count`.
    func bytes(of path: String, upTo count: Int) throws(ToolError) -> [UInt8] {
        try InputPart.all(of: LimitedSource(source(of: path), count), path)
    }

    private func source(of path: String) throws(ToolError) -> any ByteSource {
        if path != "-", try ToolError.asking(to: .read, path, try host.kind(of: path)) == .folder {
            throw .noInput("`\(path.escaped)` is a folder: expected a file")
        }
        return try ToolError.asking(to: .read, path, try host.source(of: path))
    }
}
