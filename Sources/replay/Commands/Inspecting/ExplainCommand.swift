import PurchaseEvents
import PurchaseProjections

/// `replay explain`: shows the history of one purchase, line by line.
struct ExplainCommand: ToolCommand {
    static let name = "explain"
    static let operands = [Operand(name: "KEY", values: .text), .logs]
    static let options: [Option] = [
        .format([.text, .json]), .untilSeq, .until, .accountOfLines, .threads,
    ]

    let key: String
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        guard let key = given.operands.first else {
            throw UsageError(
                "`replay explain` needs a key: a transaction, a payment, an original, an account "
                    + "or a product")
        }
        self.key = key
        input = try LogArguments(given, skipping: 1)
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let logs = try session.logs(input.paths, isReadAgain: true)
        var isUnderstood = true
        var stories = 0
        var isSearched = false
        for log in logs {
            let pass = LogPass(session: session, log: log, input: input)
            let reader = pass.reader()
            var check = Check(session.rules, names: reader.decoder.names)
            let (counts, _) = try pass.read(reader, Progress(session, [log])) { check.observe($0) }
            isUnderstood = isUnderstood && counts.notUnderstood == 0
            session.tellNotUnderstood(counts, in: log)
            isSearched = isSearched || !counts.isBlank
            let findings = check.finish(threads: pass.threadCount).flatMap { $0.report.findings }
            var scope = StoryScope(key, check.facts)
            guard !scope.subjects.isEmpty else { continue }
            let (lines, endings) = try tell(&scope, check.facts, findings, pass)
            guard !scope.subjects.isEmpty else { continue }
            if input.format == .json {
                for line in lines { try session.output.line(StoryJSON.object(line).text) }
            } else {
                if stories > 0 { try session.output.line("") }
                let heading = StoryHeading(scope, key, check.facts, style: session.style)
                try heading.write(log: logs.count > 1 ? log.name : nil, to: session.output)
                try StoryText(lines, endings: endings, style: session.style)
                    .write(to: session.output)
            }
            stories += 1
            session.noteWhether(input.account, isNamedIn: check.facts.names)
            tellLeftOut(lines, check.facts.names, session)
        }
        if stories > 0 { session.tellUnnamed(input.account, in: logs) }
        if stories == 0, isSearched {
            throw ToolError.noInput(
                "no line of \(UsageError.list(input.paths.map(\.escaped))) names `\(key.escaped)`: "
                    + "expected a transaction, a payment, an original, an account or a product")
        }
        return isUnderstood ? .well : .undetermined
    }

    /// Reports that a story is empty because all its lines name another account.
    private func tellLeftOut(_ lines: [StoryLine], _ names: NameTable, _ session: ToolSession) {
        guard lines.isEmpty, let account = input.account,
            names.find(AccountID<Written>(account)) != nil
        else { return }
        session.tell(
            "every line of `\(key.escaped)` is left out: none belongs to the account "
                + "`\(account.escaped)`")
    }

    /// Reads the log again to tell the story, and once more if the lines name transactions or
    /// payments that were not followed from the beginning. Afterwards the scope contains only
    /// subjects that an event names.
    private func tell(
        _ scope: inout StoryScope, _ facts: Facts, _ findings: [Finding], _ pass: LogPass
    ) throws -> (lines: [StoryLine], endings: [PhaseChange]) {
        let only = input.account.flatMap { facts.names.find(AccountID<Written>($0)) }
        var followed = StoryNames(scope)
        while true {
            var teller = StoryTeller(
                scope, following: followed, names: facts.names, findings: findings, account: only)
            var named: Set<StoryScope.Subject> = []
            let reader = pass.reader(LineDecoder(names: facts.names))
            let (_, places) = try pass.read(reader) { lines in
                for line in lines {
                    if let event = line.event, named.count < scope.subjects.count {
                        named.formUnion(scope.subjects(in: event))
                    }
                    teller.observe(line)
                }
            }
            if input.account == nil || only != nil, followed.add(teller.named) { continue }
            scope.keep(named)
            let lines = input.account != nil && only == nil ? [] : teller.lines(places)
            return (lines, lines.isEmpty ? [] : teller.endings)
        }
    }
}
