import PurchaseEvents
import PurchaseProjections

/// `replay stats`: counts the lines, events, accounts and transactions of a log.
struct StatsCommand: ToolCommand {
    static let name = "stats"
    static let operands = [Operand.logs]
    static let options: [Option] = [.format([.text, .json]), .resume, .restart, .threads]

    let resuming: ResumeOptions?
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        resuming = try ResumeOptions(given, excluding: [])
        input = try LogArguments(given)
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let logs = try session.logs(input.paths)
        let progress = Progress(session, logs)
        var isUnderstood = true
        let resume = try resuming?.file(input.paths, logs, identity: [], session)
        for (index, log) in logs.enumerated() {
            let stats =
                try resume.map { try count(log, $0, progress, session) }
                ?? count(log, progress, session)
            progress?.finish(stats.counts)
            session.refuseBlank(stats.counts, log)
            let name = logs.count > 1 ? log.name : nil
            if input.format == .text, index > 0 { try session.output.line("") }
            let lines =
                input.format == .json ? [object(stats, name).text] : text(stats, name, session)
            for line in lines { try session.output.line(line) }
            isUnderstood = isUnderstood && stats.counts.notUnderstood == 0
        }
        try session.output.flush()
        try resume?.commit()
        return isUnderstood ? .well : .undetermined
    }

    /// Counts a log on all threads, in any order of its lines.
    private func count(
        _ log: InputLog, _ progress: Progress?, _ session: ToolSession
    ) throws -> LogStats {
        let counter = LogCounter(threads: input.threads ?? session.host.cores)
        for part in log.parts {
            try ToolError.reading(part.path) { try counter.count(part.source(), progress) }
        }
        return counter.finish()
    }

    /// Counts a log in order, on from where the last run ended.
    private func count(
        _ log: InputLog, _ resume: ResumeFile, _ progress: Progress?, _ session: ToolSession
    ) throws -> LogStats {
        let pass = LogPass(session: session, log: log, input: input)
        let resumed = try resume.next(log, threads: pass.threadCount, roles: CountedLines.roles)
        let names = resumed.reader.decoder.names
        var counted = CountedLines()
        _ = try pass.read(
            resumed.reader, progress, resuming: resumed, keep: { $0.visit(&counted) }
        ) { counted.observe($0, names) }
        return LogStats(counted, resumed.reader)
    }

    private func object(_ stats: LogStats, _ name: String?) -> JSONText {
        var object = JSONText()
        object.add("log", name)
        object.add("events", stats.counts.events)
        var types = JSONText()
        for (type, count) in stats.types { types.add(type.wireName, count) }
        object.add("types", raw: types.text)
        object.add("accounts", stats.accounts)
        object.add("transactions", stats.transactions)
        object.add("from", stats.from?.text)
        object.add("until", stats.until?.text)
        object.add("notUnderstood", stats.counts.notUnderstood)
        return object
    }

    private func text(_ stats: LogStats, _ name: String?, _ session: ToolSession) -> [String] {
        var rows: [(String, String)] = [
            ("events", stats.counts.events.grouped),
            ("not understood", stats.counts.notUnderstood.grouped),
            ("accounts", stats.accounts.grouped), ("transactions", stats.transactions.grouped),
        ]
        if let from = stats.from, let until = stats.until {
            rows.append(("from", TextFormat.time(from)))
            rows.append(("until", TextFormat.time(until)))
        }
        var lines = name.map { [session.style.strong($0.escaped)] } ?? []
        lines += rows.map { "\(TextFormat.padded($0.0, 14))  \($0.1)" }
        let widest = stats.types.map { $0.count.grouped.count }.max() ?? 0
        if !stats.types.isEmpty { lines.append("types") }
        for (type, count) in stats.types {
            let number = TextFormat.right(count.grouped, widest)
            lines.append("  \(TextFormat.padded(type.wireName, 22))  \(number)")
        }
        return lines
    }
}
