import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// One run of `check` over several logs, one after the other: prints and counts findings.
struct CheckRun {
    let command: CheckCommand
    let rules: [CheckedRule]
    let session: ToolSession
    private let logCount: Int
    var tallies: [RuleTally]
    var counts = LineCounts()
    private var diagnostics: [Level: Int] = [:]
    var printedFindings = 0
    private var printedDiagnostics = 0
    /// The number of findings that no earlier run knew.
    private var newFindings = 0
    /// The known findings, and how many of them occurred.
    private var known: Baseline?
    private var knownFindings = 0
    var summary = FindingSummary()
    /// The findings as written by `--write-baseline`, one JSON object a line.
    private(set) var newBaseline: [UInt8] = []
    /// The places of each log's lines in its files.
    private(set) var allPlaces: [LinePlaces] = []

    init(
        _ command: CheckCommand, _ rules: [CheckedRule], _ session: ToolSession, logCount: Int,
        known: Baseline? = nil
    ) {
        (self.known, self.command, self.rules) = (known, command, rules)
        (self.session, self.logCount) = (session, logCount)
        tallies = rules.map { RuleTally($0.info) }
    }

    var isUndetermined: Bool {
        counts.notUnderstood > 0 || tallies.contains { $0.verdict == .undetermined }
    }

    mutating func check(_ logs: [InputLog]) throws {
        let writer = command.writer(session, rules.map(\.info))
        let progress = Progress(session, logs)
        let resume = try resumeFile(logs)
        try writer.begin(session.output)
        for log in logs {
            for remark in try check(log, progress, resume) {
                try writer.write(remark, to: session.output)
            }
            try session.output.flush()
        }
        if command.isSummary { try writeSummary() }
        if command.isVerbose { try writer.write(tallies, to: session.output) }
        try writer.end(session.output)
        try session.output.flush()
        try resume?.commit()
    }

    /// Checks a log and returns the remarks to print, by line.
    private mutating func check(
        _ log: InputLog, _ progress: Progress?, _ resume: ResumeFile?
    ) throws -> [Remark] {
        session.latestFold = nil
        let pass = LogPass(session: session, log: log, input: command.input)
        let resumed = try resume?.next(log, threads: pass.threadCount)
        let reader = resumed?.reader ?? pass.reader()
        var check = Check(
            of: rules, names: reader.decoder.names, limit: findingLimit,
            endOfWhole: command.input.instant)
        var (notes, dates) = (LogNotes(), LineDates())
        let lineRules = check.takeLineRules()
        func visitFields(_ visitor: FieldVisitor) {
            check.visitFields(visitor)
            visitor.visit(&notes)
            if visitor.isReading { count(notes) }
            dates.visitFields(visitor)
        }
        let (read, places) = try pass.read(
            reader, progress, resuming: resumed, ahead: lineRules.observe, keep: visitFields
        ) { lines in
            check.observe(lines)
            if command.isSummary { dates.observe(lines) }
            note(lines, &notes)
        }
        counts.add(read)
        session.noteWhether(command.input.account, isNamedIn: reader.decoder.names)
        var findings: [(index: Int, finding: Finding)] = []
        var printed = resumed?.last.printed ?? PrintedFindings()
        for (index, result) in check.finish(threads: pass.threadCount).enumerated() {
            if let named = result.report.named {
                count(named, of: result, index, check.facts, dates, log)
                continue
            }
            let found = counted(result.report.findings, places)
            tallies[index].add(
                result.report, counting: command.keepsAll ? found.counts : nil,
                log: logCount > 1 ? log.name : nil)
            if resumed != nil { printed.add(result.report.findings) }
            findings += found.map { (index, $0) }
        }
        if let resume { resume.runs[resume.runs.count - 1].printed = printed }
        session.latestFold = check
        if command.isSummary {
            // Also ends the log of findings that were counted by rule.
            summary.add(findings.map(\.finding), check.facts, dates)
            allPlaces.append(places)
            findings = []
        }
        if command.printsNew {
            findings = findings.filter { printed.isNew($0.finding) }
            newFindings += findings.count
            notes.noted.removeAll { $0.line <= resumed?.last.lines ?? 0 }
        }
        return remarks(findings, notes.noted, places, check.facts)
    }

    /// The file of `--resume`; `nil` without it, and where a rule keeps no state in snapshots.
    func resumeFile(_ logs: [InputLog]) throws -> ResumeFile? {
        guard let resuming = command.resuming else { return nil }
        if let rule = rules.first(where: { !$0.isSnapshotted }) {
            session.tell(
                "note: the rule \(rule.info.id) isn't Snapshotted, so the logs are read from "
                    + "their start, and \(resuming.path.escaped) stays as it is")
            return nil
        }
        return try resuming.file(
            command.input.paths, logs,
            identity: [
                "\(command.limit)", command.isSummary ? "summary" : "",
                command.isFollowing ? "follow" : "",
            ] + rules.map { "\($0.info)" }, session)
    }

    /// The number of findings of each rule to keep.
    private var findingLimit: Int {
        // A summary needs only what findings name; a baseline needs the findings.
        if command.resuming != nil { return 0 }
        if command.isSummary, command.newBaseline == nil { return Report.countsOnly }
        // `--account` and a baseline select findings only at the end, so all must be kept.
        return command.keepsAll ? 0 : max(1, command.limit - printedFindings)
    }

    /// Counts a rule's findings in a log for the summary, as ``counted(_:_:)`` does.
    private mutating func count(
        _ named: FindingCounts, of result: (rule: RuleInfo, report: Report), _ index: Int,
        _ facts: Facts, _ dates: LineDates, _ log: InputLog
    ) {
        let account = command.input.account?.exact
        let found = named.filter { name, entry in
            let named = name.account.map { facts.names.text(of: $0).exact }
            guard account == nil || named == account else { return false }
            guard known?.meets(rule: result.rule.id, name, facts.names) == true else { return true }
            knownFindings += entry.counts.values.reduce(0, +)
            return false
        }
        tallies[index].add(
            result.report, counting: found.counts, log: logCount > 1 ? log.name : nil)
        summary.add(rule: result.rule.id, found, facts, dates)
    }

    /// The findings that count: those of the selected account that aren't in the baseline. Counts
    /// those that are, and adds all of the account's findings to the new baseline.
    mutating func counted(_ findings: [Finding], _ places: LinePlaces) -> [Finding] {
        let account = command.input.account?.exact
        return findings.filter { finding in
            guard account == nil || finding.account?.exact == account else { return false }
            if command.newBaseline != nil {
                newBaseline += Array(RemarkJSON.object(Remark(finding, places)).text.utf8)
                newBaseline.append(UInt8(ascii: "\n"))
            }
            guard known?.meets(finding) == true else { return true }
            knownFindings += 1
            return false
        }
    }

    /// Counts the diagnostics on lines, and adds those to print.
    mutating func note(_ lines: ReadLines, _ notes: inout LogNotes) {
        guard lines.hasNotesOrNonEvents else { return }
        for line in lines {
            if let diagnostic = line.diagnostic { note(diagnostic, line.number, &notes) }
            for diagnostic in line.notes { note(diagnostic, line.number, &notes) }
        }
    }

    private mutating func note(_ diagnostic: Diagnostic, _ line: Int, _ notes: inout LogNotes) {
        notes.counts[diagnostic.code.level, default: 0] += 1
        diagnostics[diagnostic.code.level, default: 0] += 1
        guard command.limit == 0 || printedDiagnostics < command.limit else { return }
        printedDiagnostics += 1
        notes.noted.append((line, diagnostic))
    }

    /// Counts the diagnostics of lines that an earlier run has read.
    private mutating func count(_ notes: LogNotes) {
        diagnostics.merge(notes.counts, uniquingKeysWith: +)
        printedDiagnostics += notes.noted.count
    }

    /// Visits what was counted and printed before the end of a followed log.
    mutating func visitCounts(_ visitor: FieldVisitor) {
        visitor.visit(&diagnostics).visit(&printedFindings).visit(&printedDiagnostics)
        visitor.visit(&knownFindings)
        for index in tallies.indices { tallies[index].visitCounts(visitor) }
    }

    /// The remarks to print, by line; on one line, diagnostics come first, then findings by rule.
    mutating func remarks(
        _ findings: [(index: Int, finding: Finding)],
        _ noted: [(line: Int, diagnostic: Diagnostic)], _ places: LinePlaces, _ facts: Facts
    ) -> [Remark] {
        var sorted = findings.sorted { ($0.finding.line, $0.index) < ($1.finding.line, $1.index) }
        if command.limit > 0 { sorted = Array(sorted.prefix(command.limit - printedFindings)) }
        printedFindings += sorted.count
        var remarks: [Remark] = []
        var rest = noted[...]
        for (_, finding) in sorted {
            while let next = rest.first, next.line <= Int(finding.line) {
                remarks.append(Remark(next.diagnostic, on: next.line, places))
                rest.removeFirst()
            }
            var remark = Remark(finding, places)
            remark.stake = Stake(of: finding, facts)
            remarks.append(remark)
        }
        return remarks + rest.map { Remark($0.diagnostic, on: $0.line, places) }
    }

    func tellSummary() {
        func total(_ level: Level) -> Int {
            tallies.reduce(0) { $0 + $1.counts[level, default: 0] }
        }
        let all = Level.allCases.reduce(0) { $0 + total($1) }
        var parts = [
            "\(logCount.counted("log")), \(counts.lines.counted("line")): "
                + "\(counts.events.counted("event")), \(counts.notUnderstood.grouped) not "
                + "understood, \(counts.blank.grouped) blank",
            "\(total(.error).counted("error")), \(total(.warning).counted("warning")), "
                + total(.note).counted("note")
                + (printedFindings < all && !command.isSummary ? " (\(shown))" : ""),
            "\(tallies.count.counted("rule")): \(outcomes)",
        ]
        let diagnosed = diagnostics.values.reduce(0, +)
        let others = diagnosed - counts.notUnderstood
        if others > 0 { parts[0] += ", \(others.counted("remark")) on other lines" }
        if printedDiagnostics < diagnosed {
            parts[0] += " (the first \(printedDiagnostics.grouped) diagnostics shown)"
        }
        if let known {
            parts[1] += "; \(knownFindings.counted("known finding"))"
            let gone = known.gone(of: Set(rules.map(\.info.id)), account: command.input.account)
            if command.readsWholeLogs, gone > 0 {
                parts[1] += ", \(gone.grouped) of the baseline gone"
            }
        }
        parts.append(TextFormat.seconds(session.host.elapsed))
        session.tell(parts.joined(separator: "; "))
    }

    /// How many of the findings were printed.
    private var shown: String {
        let (new, first) = (
            "\(newFindings.grouped) new", "the first \(printedFindings.grouped) shown"
        )
        guard command.printsNew else { return first }
        return printedFindings < newFindings ? "\(new), \(first)" : new
    }

    /// The number of rules with each outcome; an outcome without rules is omitted, except "hold".
    private var outcomes: String {
        let counts = Dictionary(grouping: tallies, by: \.outcome).mapValues(\.count)
        return RuleTally.Outcome.allCases.compactMap { outcome in
            let count = counts[outcome, default: 0]
            guard count > 0 || outcome == .holds else { return nil }
            let isHint = outcome == .undetermined && !command.isVerbose
            return "\(count.grouped) \(outcome.rawValue)" + (isHint ? " (--verbose says why)" : "")
        }.joined(separator: ", ")
    }
}
