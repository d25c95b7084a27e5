import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// `replay check`: runs rules over logs and prints their findings.
struct CheckCommand: ToolCommand {
    static let name = "check"
    static let operands = [Operand.logs]
    static let options: [Option] = [
        .rule, .rules, .only, .format([.text, .json, .sarif, .github]), .verbose, .strict,
        .maxFindings, .accountOfFindings, .untilSeq, .until, .summary, .baseline, .writeBaseline,
        .resume, .new, .restart, .follow, .part, .endOfWhole, .threads,
    ]

    let rules: RuleChoice
    let isVerbose: Bool
    let isStrict: Bool
    /// The maximum number of findings, and of diagnostics, to print; 0 prints all.
    let limit: Int
    let isSummary: Bool
    /// The baseline file to read, and the baseline file to write.
    let baseline: String?, newBaseline: String?
    /// The file of `--resume`, and whether to print only what this run found.
    let resuming: ResumeOptions?
    let printsNew: Bool
    let isFollowing: Bool
    /// Whether every finding of the logs can be found; a finding beyond the end isn't gone.
    let readsWholeLogs: Bool
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
        readsWholeLogs = ![Option.untilSeq, .until, .part].contains { given.has($0) }
        limit = Int(
            try given.number(.maxFindings, in: 0...Int64(Int32.max)) ?? (isFollowing ? 0 : 1_000))
        baseline = given.value(.baseline)
        newBaseline = given.value(.writeBaseline)
        resuming = try ResumeOptions(given, excluding: [.untilSeq, .until, .part])
        printsNew = given.has(.new)
        if printsNew, resuming == nil { throw UsageError("`--new` goes with --resume") }
        input = try LogArguments(given)
        if isFollowing { try CheckCommand.checkFollowing(given, input) }
    }

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
            try session.preventOverwriting(input.paths, logs, with: newBaseline, of: .writeBaseline)
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
                "\(path.escaped):\(error.line): \(error.message.escaped)")
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
