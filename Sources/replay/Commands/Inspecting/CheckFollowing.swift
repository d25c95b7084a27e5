import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// `check --follow`: the findings of a log while it grows.
extension CheckRun {
    /// How long to wait before looking at the log again.
    private static let interval = Duration.milliseconds(100)

    /// Checks a log as it grows, until a signal, and prints each finding once it is certain.
    mutating func follow(_ path: String) throws {
        let writer = command.writer(session, rules.map(\.info))
        session.host.holdSignals()
        let followed = try open(path)
        session.latestFold = followed
        let log = InputLog(parts: [InputPart(path: path, size: 0, host: session.host)])
        var places = LinePlaces()
        try writer.begin(session.output)
        try CheckRun.reading(path) {
            repeat {
                try followed.read { try write($0, of: followed, &places, writer) }
            } while session.host.pause(for: CheckRun.interval)
            let answers = try followed.finish(threads: command.threads ?? session.host.cores) {
                try write($0, of: followed, &places, writer)
            }
            for (index, answer) in answers.enumerated() {
                tallies[index].add(answer.report, counting: [:], log: nil)
            }
        }
        let read = followed.reader.counts
        precondition(read.addUp, "every line is an event, not understood, or blank")
        count(read)
        session.refuseEmpty(read, log)
        session.refuseBlank(read, log)
        session.noteWhether(command.account, isNamedIn: followed.reader.decoder.names)
        session.tellUnnamed(command.account, in: [log])
        if command.isVerbose { try writer.write(tallies, to: session.output) }
        try writer.end(session.output)
    }

    /// Opens the log; throws if the file is binary, and reports missing bytes at its beginning.
    private func open(_ path: String) throws(ToolError) -> FollowedCheck {
        let shown = EscapedText.escape(path)
        let followed: FollowedCheck
        let head: InputHead
        do throws(EventLogError) {
            followed = try FollowedCheck(of: rules, logAt: path)
            head = InputHead(try followed.log.head(LineDecoder.maximumLineLength))
        } catch {
            throw .noInput("cannot follow \(error)")
        }
        if let binary = head.binary {
            throw ToolError(
                status: .undetermined,
                message: "\(shown) is \(binary), not a log: expected one JSON object a line")
        }
        if followed.log.missing > 0 {
            let missing = Words.count(Int(clamping: followed.log.missing), "byte is", "bytes are")
            session.refuse("\(shown): \(missing) missing before the first segment")
        }
        return followed
    }

    /// Prints the findings and the diagnostics of a batch of lines.
    private mutating func write(
        _ batch: FollowedCheck.Batch, of followed: FollowedCheck, _ places: inout LinePlaces,
        _ writer: any RemarkWriter
    ) throws {
        places.begin(followed.log.parts)
        var notes = LogNotes()
        if let lines = batch.lines { note(lines, &notes) }
        guard !notes.noted.isEmpty || !batch.findings.isEmpty else { return }
        let findings = batch.findings.filter { !counted([$0.finding], places).isEmpty }
        for (index, finding) in findings { tallies[index].count(finding) }
        let found = findings.map { (index: $0.rule, finding: $0.finding) }
        for remark in remarks(found, notes.noted, places, followed.check.facts) {
            try writer.write(remark, to: session.output)
        }
        try session.output.flush()
    }

    /// Runs a closure that reads the log, and converts a problem of the log into a tool error.
    private static func reading(_ path: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let problem as EventLogError {
            throw ToolError.ioFailed("cannot follow \(problem)")
        } catch let problem as ReplacedLog {
            throw ToolError.ioFailed("cannot follow \(problem)")
        } catch let problem as ReadProblem {
            throw ToolError.ioFailed("cannot read `\(EscapedText.escape(path))`: \(problem)")
        }
    }
}
