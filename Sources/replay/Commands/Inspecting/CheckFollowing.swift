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
        let log = InputLog(parts: [InputPart(path: path, size: 0, host: session.host)])
        let resume = try resumeFile([log])
        let known = resume?.state()
        let followed = try open(path, after: known?.visitor)
        if let known { visitCounts(known.visitor) }
        var last = known?.last ?? LastRun()
        try resume?.checkWhole()
        session.latestFold = followed
        var places = LinePlaces()
        try writer.begin(session.output)
        try CheckRun.reading(path, isResumed: known != nil) {
            repeat {
                try followed.read { try write($0, of: followed, &places, &last.printed, writer) }
            } while session.host.pause(for: CheckRun.interval)
            if let resume {
                followed.write(to: resume.writing)
                visitCounts(resume.writing)
            }
            let threads = command.input.threads ?? session.host.cores
            let answers = try followed.finish(threads: threads) {
                last.printed.add($0.lines == nil ? $0.findings.map(\.finding) : [])
                try write($0, of: followed, &places, &last.printed, writer)
            }
            for (index, answer) in answers.enumerated() {
                tallies[index].add(answer.report, counting: [:], log: nil)
            }
        }
        let read = followed.reader.counts
        precondition(read.addUp, "every line is an event, not understood, or blank")
        counts.add(read)
        if read.lines == 0 { session.refuseEmpty(log) }
        session.refuseBlank(read, log)
        session.noteWhether(command.input.account, isNamedIn: followed.reader.decoder.names)
        session.tellUnnamed(command.input.account, in: [log])
        if command.isVerbose { try writer.write(tallies, to: session.output) }
        try writer.end(session.output)
        try session.output.flush()
        resume?.runs.append(last)
        try resume?.commit()
    }

    /// Opens the log; throws if the file is binary, and reports missing bytes at its beginning.
    private func open(
        _ path: String, after known: FieldVisitor?
    ) throws(ToolError) -> FollowedCheck {
        let shown = path.escaped
        let followed: FollowedCheck
        let head: InputHead
        do throws(EventLogError) {
            let log = try GrowingLog(at: path)
            head = InputHead(try log.head(LineDecoder.maximumLineLength))
            followed = FollowedCheck(of: rules, log, after: known)
        } catch {
            throw .noInput("cannot follow \(error)")
        }
        if let binary = head.binary {
            throw .undetermined("\(shown) is \(binary), not a log: expected one JSON object a line")
        }
        if followed.log.missing > 0 {
            let missing = Int(clamping: followed.log.missing).counted("byte is", "bytes are")
            session.refuse("\(shown): \(missing) missing before the first segment")
        }
        return followed
    }

    private mutating func write(
        _ batch: FollowedCheck.Batch, of followed: FollowedCheck, _ places: inout LinePlaces,
        _ printed: inout PrintedFindings, _ writer: any RemarkWriter
    ) throws {
        places.begin(followed.log.parts)
        var notes = LogNotes()
        if let lines = batch.lines { note(lines, &notes) }
        guard !notes.noted.isEmpty || !batch.findings.isEmpty else { return }
        let findings = batch.findings.filter { !counted([$0.finding], places).isEmpty }
        for (index, finding) in findings { tallies[index].count(finding) }
        // What an earlier run printed at its end isn't printed again.
        let found = findings.map { (index: $0.rule, finding: $0.finding) }
            .filter { printed.isNew($0.finding) }
        printedFindings += findings.count - found.count
        for remark in remarks(found, notes.noted, places, followed.check.facts) {
            try writer.write(remark, to: session.output)
        }
        try session.output.flush()
    }

    /// Converts a problem of the log that `body` reads into a tool error; if `isResumed`, the log
    /// goes on from a snapshot, which it may not fit.
    private static func reading(_ path: String, isResumed: Bool, _ body: () throws -> Void) throws {
        func failed(_ problem: some CustomStringConvertible, isOther: Bool) -> ToolError {
            guard isResumed, isOther else { return .ioFailed("cannot follow \(problem)") }
            return .undetermined("cannot follow \(problem); --restart reads it from its start")
        }
        do {
            try body()
        } catch let problem as EventLogError {
            if case .shrank = problem { throw failed(problem, isOther: true) }
            throw failed(problem, isOther: false)
        } catch let problem as ReplacedLog {
            throw failed(problem, isOther: true)
        } catch let problem as ReadProblem {
            throw ToolError.cannotRead(path, problem)
        }
    }
}
