import PurchaseEvents
import PurchaseProjections

/// `replay show`: folds a log into the rows of projections.
struct ShowCommand: ToolCommand {
    static let name = "show"
    static let operands = [
        Operand(
            name: "PROJECTION", values: .oneOf(ProjectionCatalogue.all.map { $0.name } + [all])),
        .logs,
    ]
    static let options: [Option] = [
        .format([.text, .json, .csv]), .asOf, .untilSeq, .until, .accountOfRows, .nonRenewing,
        .resume, .restart, .threads,
    ]
    static var lists: [String: String] {
        let rows = ProjectionCatalogue.all.map { ($0.name, $0.summary) }
        return ["projections": HelpText.list(rows + [(all, "each of these")])]
    }

    private static let all = "all"

    let projections: [any Projection.Type]
    let showsAll: Bool
    let nonRenewingStays: Bool
    let resuming: ResumeOptions?
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        showsAll = given.operands.first == ShowCommand.all
        projections = try given.first { typed in
            typed == ShowCommand.all
                ? ProjectionCatalogue.all : ProjectionCatalogue.find(typed).map { [$0] }
        }
        nonRenewingStays = given.value(.nonRenewing) == "stays"
        if given.format == .csv, showsAll {
            throw UsageError(
                "`--format=csv` prints one table: name one projection instead of `all`")
        }
        if given.has(.nonRenewing), !projections.contains(where: { $0.name == Receipt.name }) {
            throw UsageError(
                "`--non-renewing` goes with the projection receipt, not with "
                    + given.operands[0])
        }
        resuming = try ResumeOptions(given, excluding: [.untilSeq, .until])
        input = try LogArguments(given, skipping: 1)
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let logs = try session.logs(input.paths)
        let progress = Progress(session, logs)
        let resume = try resuming?.file(
            input.paths, logs,
            identity: projections.map { $0.name } + [
                input.instant?.text ?? "", nonRenewingStays ? "stays" : "",
            ], session)
        var isUnderstood = true
        var isFirst = true
        var table: [[RowField]] = []
        for log in logs {
            session.latestFold = nil
            let pass = LogPass(session: session, log: log, input: input)
            let resumed = try resume?.next(log, threads: pass.threadCount)
            let reader = resumed?.reader ?? pass.reader()
            var show = Show(folded, names: reader.decoder.names, asOf: input.instant)
            let (counts, _) = try pass.read(
                reader, progress, resuming: resumed, keep: { show.visitFields($0) }
            ) { show.observe($0) }
            isUnderstood = isUnderstood && counts.notUnderstood == 0
            session.tellNotUnderstood(counts, in: log)
            session.noteWhether(input.account, isNamedIn: reader.decoder.names)
            let name = logs.count > 1 ? log.name : nil
            var hasEntitlements = true
            if input.format == .json {
                let rows = concurrentMap(projections.count, threads: pass.threadCount) {
                    RowsInJSON(show, projections[$0], input, name, isNamed: showsAll)
                }
                for (projection, rows) in zip(projections, rows) {
                    try session.output.write(rows.lines.written)
                    if projection == Entitlements.self { hasEntitlements = !rows.lines.isEmpty }
                }
            } else {
                for projection in projections {
                    let rows = show.rows(of: projection, account: input.account)
                    if projection == Entitlements.self { hasEntitlements = !rows.isEmpty }
                    if input.format == .csv {
                        let named = name.map { [RowField("log", .text($0))] } ?? []
                        table += rows.map { named + $0.fields }
                    } else {
                        try write(rows, of: projection, in: name, &isFirst, session)
                    }
                }
            }
            try session.output.flush()
            if !hasEntitlements { noteOtherEnvironments(show, in: log, session) }
            session.latestFold = show
        }
        try session.output.write(TableCSV.text(of: table).utf8)
        try session.output.flush()
        try resume?.commit()
        session.tellUnnamed(input.account, in: logs)
        return isUnderstood ? .well : .undetermined
    }

    /// Says why there are no entitlements, if all purchases are from other environments than the
    /// log's.
    private func noteOtherEnvironments(_ show: Show, in log: InputLog, _ session: ToolSession) {
        guard input.account == nil else { return }
        let others = show.facts.otherEnvironments
        guard !others.isEmpty else { return }
        let words = Environment.allCases.filter(others.contains).map(\.rawValue)
        session.tell(
            "\(EscapedText.escape(log.name)): note: no entitlements: the log's environment is "
                + "\(show.facts.logEnvironment.rawValue), and its purchases are of "
                + "\(words.joined(separator: " and ")), which grants nothing there")
    }

    private var folded: [any Projection] {
        projections.map { projection in
            projection == Receipt.self
                ? Receipt(nonRenewing: nonRenewingStays ? .stays : .leaves) : projection.init()
        }
    }

    private func write(
        _ rows: [any ProjectionRow], of projection: any Projection.Type, in log: String?,
        _ isFirst: inout Bool, _ session: ToolSession
    ) throws {
        if showsAll || log != nil {
            if !isFirst { try session.output.line("") }
            let words = [log.map { EscapedText.escape($0) }, showsAll ? projection.name : nil]
            let heading = words.compactMap { $0 }.joined(separator: ": ")
            try session.output.line(session.style.strong("# \(heading)"))
        }
        isFirst = false
        if rows.isEmpty {
            let isSeen = showsAll || log != nil || session.host.isTerminal(.output)
            if isSeen { try session.output.line("(none)") }
            return
        }
        for line in TableText(session).lines(rows.map { $0.fields }) {
            try session.output.line(line)
        }
    }
}

/// The rows of a projection as JSON lines, which may be made on any thread.
private final class RowsInJSON {
    private(set) var lines: RowLines

    init(
        _ show: Show, _ projection: any Projection.Type, _ input: LogArguments, _ log: String?,
        isNamed: Bool
    ) {
        var heading: [(key: StaticString, text: String)] = []
        if let log { heading.append(("log", log)) }
        if isNamed { heading.append(("show", projection.name)) }
        lines = RowLines(heading: heading)
        show.appendRows(of: projection, account: input.account, to: &lines)
    }
}
