import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// `replay check`: runs rules over logs and prints their findings.
struct CheckCommand: ToolCommand {
    static let name = "check"
    static let summary = "check logs against the rules, and show each line that breaks one"
    static let operands = [Operand.logs]
    static let options: [Option] = [
        .rule, .rules, .only, .format([.text, .json, .sarif, .github]), .verbose, .strict,
        .maxFindings,
        .accountOfFindings, .untilSeq, .until, .summary, .baseline, .writeBaseline, .resume, .new,
        .restart, .follow, .part, .endOfWhole, .threads,
    ]
    static let details = """
        Findings and diagnostics go to standard output, in the order of the lines:

          path:line: error: [rule] message        an event that breaks a rule
          path:line:byte: error: [code] message   a line that was not understood

        The other lines of the proof and a hint follow, indented. A summary of one line goes to
        standard error. --format=json prints one object a line, with --verbose also one for
        each rule; sarif and github are for code hosts.

        --summary prints one line for each rule with findings, the most severe first: level, rule,
        findings, accounts, transactions, stake (the price of the transactions whose buyer lost
        something or got something for nothing, each once), the first line and its time. A
        baseline holds findings as --format=json prints them; a finding is known by its rule, key
        and account.

        A rule holds, is violated, is undetermined (the log doesn't say), or is vacuous (nothing in
        the log puts the rule to the test). A finding that is only a note doesn't violate its rule.

        --follow goes on reading one log, a file or a folder of segments, as lines are appended:
        each finding is printed within a second after the line that makes it certain, however many
        there are. SIGINT (Ctrl-C) or SIGTERM ends it, as the end of the log, with the findings
        that only the end makes certain, the summary and the status. An incomplete last line is
        checked once it is complete. A log that was replaced, or truncated before the point already
        read, ends it with status 74.

        --resume=FILE keeps the state at the last whole line, so that the next run reads only what
        follows; the answer is that of the whole log. The lines before aren't read again: what
        `replay verify` proves of them, --resume doesn't. A log that was cut, replaced or changed is
        refused. With --follow, FILE is written at the end, and what was printed isn't printed
        again. docs/snapshots.md says more.

        --part checks one part of a log that was split. Lines that share an account, device,
        transaction, original, payment, receipt, notification or id are in one part; every part
        has the log.* and content.published lines, the catalogue's answers, the first
        queue.finished of a payment, and the lines that weren't understood. Rules whose scope is
        the whole log don't run: `replay rules --format=json` shows the scopes. Scale/ splits logs
        this way.
        """
    static let examples = [
        Example("check each log in a folder", "replay check events/valid"),
        Example(
            "check one rule on standard input",
            "cat events/valid/refund.jsonl | replay check --rule=refund-grants-nothing -"),
        Example(
            "check rules of your own too, which docs/own-rules.md explains",
            "replay check --rules=Examples/OwnRules/team.rules events/valid"),
        Example(
            "check every night, and read only what came since",
            "replay check --resume=purchases.state --new purchases.jsonl"),
        Example(
            "watch a log that an app or a server is writing, until Ctrl-C",
            "replay check --follow purchases.jsonl"),
        Example(
            "annotate the files of a pull request",
            "replay check --format=github events/violations/delivered-once.jsonl",
            status: .violated),
    ]
    static let statuses: [ToolStatus: String] = [
        .well: "no finding is an error (with --strict, nor a warning)",
        .violated: "a finding is an error (with --strict, or a warning)",
        .undetermined:
            "a line was not understood, an input is not a log, or a rule is undetermined",
    ]

    let rules: RuleChoice
    let isVerbose: Bool
    let isStrict: Bool
    /// The maximum number of findings, and of diagnostics, to print; 0 prints all.
    let limit: Int
    /// Whether to print one line for each rule instead of the findings.
    let isSummary: Bool
    /// The baseline file to read, and the baseline file to write.
    let baseline: String?, newBaseline: String?
    /// The file of `--resume`, and whether to print only what this run found.
    let resuming: ResumeOptions?
    let printsNew: Bool
    /// Whether to go on reading the log as it grows.
    let isFollowing: Bool
    /// The logs; of a part of a log, `instant` is the greatest `at` of the whole log.
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        rules = try RuleChoice(given, files: .rules, typed: given.all(.rule))
        if given.has(.endOfWhole), !given.has(.part) {
            throw UsageError("`--as-of` goes with --part")
        }
        isVerbose = given.has(.verbose)
        isSummary = given.has(.summary)
        let format = given.format
        for option in [Option.verbose, .summary]
        where given.has(option) && (format == .sarif || format == .github) {
            throw UsageError(
                "`--\(option.name)` goes with --format=text or json, not with \(format.rawValue)")
        }
        isStrict = given.has(.strict)
        isFollowing = given.has(.follow)
        limit = Int(
            try given.number(.maxFindings, in: 0...Int64(Int32.max)) ?? (isFollowing ? 0 : 1_000))
        baseline = given.value(.baseline)
        newBaseline = given.value(.writeBaseline)
        resuming = try ResumeOptions(given, excluding: [.untilSeq, .until, .part])
        printsNew = given.has(.new)
        if printsNew, resuming == nil {
            throw UsageError("`--new` goes with --resume")
        }
        input = try LogArguments(given)
        if isFollowing { try CheckCommand.checkFollowing(given, input) }
    }

    /// Throws if an argument doesn't go with `--follow`.
    private static func checkFollowing(
        _ given: ParsedArguments, _ input: LogArguments
    ) throws(UsageError) {
        let others: [Option] = [.untilSeq, .until, .summary, .writeBaseline, .part]
        if let other = others.first(where: { given.has($0) }) {
            throw UsageError("`--follow` and `--\(other.name)` exclude each other")
        }
        if input.format == .sarif {
            throw UsageError("`--follow` goes with --format=text, json or github, not with sarif")
        }
        guard input.paths.count == 1, input.paths[0] != "-" else {
            throw UsageError("`--follow` needs one log: a file or a folder of segments")
        }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let rules = try rules.rules(session)
        let known = try baseline.map { try readBaseline($0, session) }
        let logs = isFollowing ? [] : try session.logs(input.paths)
        if let newBaseline {
            try session.preventOverwriting(
                input.paths, logs, with: newBaseline, of: .writeBaseline)
        }
        var run = CheckRun(
            self, rules, session, logCount: isFollowing ? 1 : logs.count, known: known)
        if isFollowing { try run.follow(input.paths[0]) } else { try run.check(logs) }
        if let newBaseline { try session.replace(newBaseline, with: run.newBaseline) }
        try session.output.flush()
        session.tellUnnamed(input.account, in: logs)
        run.tellSummary()
        if run.tallies.contains(where: { $0.fails(strictly: isStrict) }) { return .violated }
        return run.isUndetermined ? .undetermined : .well
    }

    /// Whether all findings must be kept, not only the printed ones.
    var keepsAll: Bool {
        limit == 0 || input.account != nil || isSummary || baseline != nil || newBaseline != nil
    }

    private func readBaseline(_ path: String, _ session: ToolSession) throws -> Baseline {
        let bytes = try session.bytes(
            of: path, atMost: InputPart.keptLimit,
            advice: "check each log, or each rule, with its own baseline")
        do {
            return try Baseline(bytes)
        } catch {
            throw UsageError(
                "\(EscapedText.escape(path)):\(error.line): \(EscapedText.escape(error.message))")
        }
    }

    func writer(_ session: ToolSession, _ rules: [RuleInfo]) -> any RemarkWriter {
        switch input.format {
        case .text, .csv: RemarkText(style: session.style)
        case .json: RemarkJSON()
        case .sarif: RemarkSARIF(rules)
        case .github: RemarkGitHub()
        }
    }
}
