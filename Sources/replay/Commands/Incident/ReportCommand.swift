import PurchaseEvents
import PurchaseProjections

/// `replay report`: writes the findings, and a picture of each account, as one HTML file.
struct ReportCommand: ToolCommand {
    static let name = "report"
    static let operands = [Operand.logs]
    static let options: [Option] = [
        .reportFile, .rule, .accountOfReport, .accountsOfReport, .untilSeq, .until, .asOf, .threads,
    ]

    let limits: ReportLimits
    let file: String
    /// The options that narrow the report, as typed.
    let narrowed: [String]

    init(_ given: ParsedArguments) throws(UsageError) {
        guard let file = given.value(.reportFile) else {
            throw UsageError(
                "`replay report` needs a file to write: --to=FILE.html, or --to=- for standard "
                    + "output")
        }
        self.file = file
        var wanted: Set<String> = []
        for typed in given.all(.rule) { wanted.insert(try given.ruleID(typed)) }
        var limits = ReportLimits(
            rules: wanted.isEmpty ? given.rules : given.rules.filter { wanted.contains($0.id) })
        limits.input = try LogArguments(given)
        limits.accounts = try given.number(.accountsOfReport, in: 0...10_000)
        self.limits = limits
        let options: [Option] = [
            .rule, .accountOfReport, .accountsOfReport, .untilSeq, .until, .asOf,
        ]
        narrowed = options.flatMap { option in given.all(option).map { "--\(option.name)=\($0)" } }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let logs = try session.logs(limits.input.paths, isReadAgain: true)
        if file != "-" {
            try session.preventOverwriting(limits.input.paths, logs, with: file, of: .reportFile)
        }
        var run = ReportRun(session, limits)
        try run.read(logs)
        var model = run.model
        model.narrowed = narrowed
        let page = ReportPage(model).bytes()
        if file == "-" {
            try session.output.write(page)
            try session.output.flush()
        } else {
            try session.replace(file, with: page)
            session.tell("\(file.escaped): \(model.findingCount.counted("finding"))")
        }
        session.tellUnnamed(limits.input.account, in: logs)
        return run.isUndetermined ? .undetermined : .well
    }
}
