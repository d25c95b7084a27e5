import PurchaseEvents
import PurchaseProjections

/// `replay check`: runs rules over logs and prints what they find.
struct CheckCommand: ToolCommand {
    static let name = "check"
    static let summary = "prove the rules on a log, or show where it breaks them"
    static let operands = "LOG…"
    static let options: [Option] = [
        .rule, .format(OutputFormat.allCases), .verbose, .strict, .maxFindings, .accountOfFindings,
        .untilSeq, .until, .threads,
    ]
    static let details = """
        Findings and diagnostics go to standard output, by line:

          path:line: error: [rule] message        what should not have been
          path:line:byte: error: [code] message   a line that was not understood

        The other lines of the proof and a hint stand indented below. One summary line goes to
        standard error. --format=json prints an object a line; --verbose adds one for each rule.
        """

    /// The rules to run.
    let rules: [any Rule.Type]
    let format: OutputFormat
    let isVerbose: Bool
    let isStrict: Bool
    /// How many findings are printed, and how many diagnostics; 0 for all.
    let limit: Int
    let account: String?
    let stop: ReadingStop
    let threads: Int?
    let paths: [String]

    init(_ given: Given) throws(UsageError) {
        var wanted: Set<String> = []
        for typed in given.all(.rule) { wanted.insert(try given.rule(typed).id) }
        rules = wanted.isEmpty ? given.rules : given.rules.filter { wanted.contains($0.id) }
        format = given.format
        isVerbose = given.has(.verbose)
        if isVerbose, format == .sarif || format == .github {
            throw UsageError(
                "`--verbose` goes with --format=text or json, not with \(format.rawValue)",
                command: given.command)
        }
        isStrict = given.has(.strict)
        limit = Int(try given.number(.maxFindings, in: 0...Int64(Int32.max)) ?? 1_000)
        account = given.value(.accountOfFindings)
        stop = try given.stop()
        threads = try given.threads()
        paths = try given.logs()
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let logs = try session.logs(paths)
        var run = CheckRun(self, session, logCount: logs.count)
        try run.check(logs)
        try session.output.flush()
        session.tellUnnamed(account, in: logs)
        run.tellSummary()
        if run.tallies.contains(where: { $0.fails(strictly: isStrict) }) { return .violated }
        return run.isUndetermined || session.hasRefused ? .undetermined : .well
    }

    /// How remarks are printed.
    func writer(_ session: ToolSession) -> any RemarkWriter {
        switch format {
        case .text: RemarkText(style: session.style)
        case .json: RemarkJSON()
        case .sarif: RemarkSARIF(rules)
        case .github: RemarkGitHub()
        }
    }
}
