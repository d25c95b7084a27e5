import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// Reads logs for a report: a first pass for the findings, a second for the lines of the accounts
/// to draw, and for small logs a third for the states.
struct ReportRun {
    private let session: ToolSession
    private let limits: ReportLimits
    private(set) var model = ReportModel()

    init(_ session: ToolSession, _ limits: ReportLimits) {
        (self.session, self.limits) = (session, limits)
        model.tallies = limits.rules.map { RuleTally(RuleInfo($0)) }
    }

    var isUndetermined: Bool { model.logs.contains { $0.counts.notUnderstood > 0 } }

    mutating func read(_ logs: [InputLog]) throws {
        let progress = Progress(session, logs)
        var checked: [CheckedLog] = []
        for log in logs { checked.append(try check(log, many: logs.count > 1, progress)) }
        var summary = FindingSummary()
        var affected = AffectedAccounts()
        for (index, log) in checked.enumerated() {
            summary.add(log.found, log.facts, log.dates)
            affected.add(log.found, log.facts, log: index)
        }
        model.affected = affected.rows
        number(&checked)
        model.summary = summary.rows(model)
        model.stake = summary.stake
        var chosen = AccountChoice(checked, model, limits)
        for index in checked.indices { try draw(index, checked[index], &chosen) }
        if model.logs.reduce(0, { $0 + $1.counts.lines }) <= ReportLimits.steppedLines {
            for (index, log) in checked.enumerated() {
                model.histories.append(try history(of: log, index))
            }
        }
        for index in model.pictures.indices { model.pictures[index].id = index + 1 }
        // Keep the folds, so that the process ends without freeing their tables one by one.
        session.latestFold = checked
    }

    private mutating func check(
        _ log: InputLog, many: Bool, _ progress: Progress?
    ) throws -> CheckedLog {
        let pass = LogPass(session: session, log: log, input: limits.input)
        let reader = pass.reader()
        // All findings count for the summary and the accounts, also those that no page shows.
        var check = Check(limits.rules, names: reader.decoder.names)
        var dates = LineDates()
        var noted: [(line: Int, diagnostic: Diagnostic)] = []
        let room = ReportLimits.diagnostics - model.diagnostics.count
        let lineRules = check.takeLineRules()
        let (counts, places) = try pass.read(reader, progress, ahead: lineRules.observe) { lines in
            check.observe(lines)
            dates.observe(lines)
            guard lines.hasNotesOrNonEvents, noted.count < room else { return }
            for line in lines {
                if let diagnostic = line.diagnostic { noted.append((line.number, diagnostic)) }
            }
        }
        session.tellNotUnderstood(counts, in: log)
        session.noteWhether(limits.input.account, isNamedIn: reader.decoder.names)
        var findings: [Finding] = []
        for (index, result) in check.finish(threads: pass.threadCount).enumerated() {
            let counting = limits.input.account.map { account in
                result.report.findings.filter { $0.account?.exact == account.exact }.counts
            }
            model.tallies[index].add(result.report, counting: counting, log: many ? log.name : nil)
            findings += result.report.findings
        }
        if let account = limits.input.account?.exact {
            findings.removeAll { $0.account?.exact != account }
        }
        findings.sort { $0.line < $1.line }
        model.diagnostics += noted.prefix(room).map { Remark($0.diagnostic, on: $0.line, places) }
        model.logs.append(
            ReportLog(
                name: log.name, counts: counts, from: check.facts.firstAt,
                until: check.facts.greatestAt))
        var again = pass
        again.refusesBlank = false
        return CheckedLog(
            pass: again, facts: check.facts, dates: dates, places: places, found: findings)
    }

    /// Numbers the findings of all logs; findings beyond the limit are only counted.
    private mutating func number(_ checked: inout [CheckedLog]) {
        for (log, one) in checked.enumerated() {
            for finding in one.found where model.findings.count < ReportLimits.findings {
                model.findings.append(
                    ReportFinding(
                        id: model.findings.count + 1, log: log, line: Int(finding.line),
                        noteLines: finding.notes.map { Int($0.line) }, account: finding.account,
                        remark: Remark(finding, one.places)))
            }
            checked[log].found = []
            checked[log].dates = LineDates()
        }
    }

    private mutating func draw(
        _ index: Int, _ log: CheckedLog, _ chosen: inout AccountChoice
    ) throws {
        var lines = AccountLines(
            index, log.facts, model.findings.filter { $0.log == index }, chosen, limits)
        let reader = log.pass.reader(LineDecoder(names: log.facts.names))
        _ = try log.pass.read(reader) { lines.observe($0) }
        let end = limits.input.instant ?? log.facts.greatestAt ?? .earliest
        model.logs[index].accounts = lines.accountCount
        let pictures = lines.pictures(end: end)
        model.pictures += pictures
        chosen.room = max(0, chosen.room - pictures.count)
        model.undrawn += lines.undrawn
    }

    /// Folds a small log line by line.
    private func history(of log: CheckedLog, _ index: Int) throws -> StateHistory {
        let reader = log.pass.reader()
        var show = Show(
            [Entitlements.self, Pending.self, Balances.self], names: reader.decoder.names,
            asOf: limits.input.instant)
        let lineWords = LineWords(in: log.facts.logEnvironment)
        var presented = PresentedTransactions()
        var history = StateHistory(
            log: index,
            tables: [
                StateTable(Entitlements.name, "Entitlements", keys: StateHistory.entitlementKeys),
                StateTable(Pending.name, "Pending work", keys: StateHistory.pendingKeys),
                StateTable(Balances.name, "Balances", keys: StateHistory.balanceKeys),
            ])
        let account = limits.input.account
        _ = try log.pass.read(reader) { lines in
            for line in lines {
                show.observe(line)
                guard let event = line.event else { continue }
                let isAgain = presented.isAgain(event)
                let words = lineWords.words(event, line.bytes, isAgain: isAgain)
                history.steps.append(
                    StateHistory.Step(
                        line: line.number, seq: event.seq, at: event.at, words: words))
                let step = history.steps.count - 1
                let rows = [
                    show.rows(of: Entitlements.self, account: account).map(\.fields),
                    show.rows(of: Pending.self, account: account).map(\.fields),
                    show.rows(of: Balances.self, account: account).map(\.fields),
                ]
                for table in rows.indices { history.tables[table].add(rows[table], after: step) }
            }
        }
        // Most logs have no consumables.
        history.tables.removeAll { $0.name == Balances.name && $0.rows.isEmpty }
        return history
    }
}

extension StateHistory {
    /// The keys of `show entitlements`, in the order of tool.md.
    static let entitlementKeys = [
        "account", "product", "kind", "active", "from", "until", "because", "transaction",
        "original", "quantity", "granted", "ended",
    ]

    static let pendingKeys = [
        "account", "transaction", "payment", "product", "next", "since", "presentations",
    ]

    static let balanceKeys = [
        "account", "product", "bought", "delivered", "consumed", "withdrawn", "refunded", "left",
        "uncollected",
    ]
}

struct CheckedLog {
    var pass: LogPass
    var facts: Facts
    var dates: LineDates
    var places: LinePlaces
    var found: [Finding]
}

/// The transactions already presented, to distinguish a repeated presentation from a purchase.
struct PresentedTransactions {
    private var known: Set<TransactionHandle> = []

    mutating func isAgain(_ event: LogEvent) -> Bool {
        switch event.type {
        case .queuePurchased, .queueRestored:
            event.fact.transaction.map { !known.insert($0).inserted } ?? false
        case _: false
        }
    }
}
