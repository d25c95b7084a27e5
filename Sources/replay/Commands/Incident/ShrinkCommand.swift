import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// `replay shrink`: prints the smallest log that still shows a fault.
struct ShrinkCommand: ToolCommand {
    static let name = "shrink"
    static let operands = [Operand.logs]
    static let options: [Option] = [.shrunkRule, .key, .line, .faultCheck, .budget, .threads]

    /// What the smaller log must still show.
    enum Target {
        case finding(rule: String, key: String?, line: Int?)
        case command(String, budget: Int)
    }

    let target: Target
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        let rule = try given.value(.shrunkRule).map { typed throws(UsageError) in
            try given.ruleID(typed)
        }
        let key = given.value(.key)
        let line = try given.number(.line, in: 1...Int(Int32.max))
        let budget = try given.number(.budget, in: 1...86_400)
        if let command = given.value(.faultCheck) {
            guard rule == nil, key == nil, line == nil else {
                throw UsageError(
                    "`--check` stands alone: --rule, --key and --line name a finding instead")
            }
            target = .command(command, budget: budget ?? 60)
        } else {
            guard let rule else {
                throw UsageError("`replay shrink` needs --rule=ID, or --check=COMMAND")
            }
            guard budget == nil else { throw UsageError("`--budget` goes with --check") }
            target = .finding(rule: rule, key: key, line: line)
        }
        input = try LogArguments(given)
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        guard let log = try LogInMemory(input, session) else { return .undetermined }
        let result: LogShrinker.Result?
        switch target {
        case .finding(let rule, let key, let line):
            result = try shrink(log, rule, key: key, line: line, session)
        case .command(let command, let budget):
            result = try shrink(log, by: command, budget: budget, session)
        }
        guard let result else { return .violated }
        for index in result.lines.indices {
            try session.output.line(String(decoding: result.lines[index], as: UTF8.self))
        }
        session.tell(
            "\(log.lines.count.counted("line")) down to \(result.lines.count.grouped)"
                + (result.isMinimal
                    ? "; no line can be left out"
                    : session.host.hasSignal
                        ? "; interrupted, so more lines might be removable"
                        : "; time ran out, so more lines might be removable")
                + (log.lines.isChained ? "; the chain is left out" : "")
                + "; \(TextFormat.seconds(session.host.elapsed))")
        return result.isMinimal ? .well : .undetermined
    }

    private func shrink(
        _ log: LogInMemory, _ rule: String, key: String?, line: Int?, _ session: ToolSession
    ) throws -> LogShrinker.Result? {
        let count = input.threads ?? session.host.cores
        let findings = try log.lines.findings(session.rules, threads: count)
        let found = findings.filter { $0.rule == rule }
        let wanted = found.first { finding in
            (key == nil || finding.key?.exact == key?.exact)
                && (line == nil || Int(finding.line) == line)
        }
        guard let wanted else {
            let place = key.map { " about `\($0.escaped)`" } ?? line.map { " on line \($0)" } ?? ""
            let seen =
                found.isEmpty ? "it finds nothing there" : "its first is on line \(found[0].line)"
            session.tell("\(log.name.escaped): expected a finding of \(rule)\(place); \(seen)")
            return nil
        }
        let result = try LogShrinker.shrink(log.lines, to: wanted, of: findings, threads: count)
        if result == nil {
            session.tell("no part of the log shows \(rule) without breaking another rule")
        }
        return result
    }

    private func shrink(
        _ log: LogInMemory, by command: String, budget: Int, _ session: ToolSession
    ) throws -> LogShrinker.Result? {
        session.host.holdSignals()
        let end = session.host.elapsed + .seconds(budget)
        var isUnanswered = false
        let shrinker = LogShrinker { lines in
            do throws(SystemProblem) {
                let left = end - session.host.elapsed
                let answer = try session.host.succeeds(command, on: lines.bytes, within: left)
                isUnanswered = answer == nil
                return answer ?? false
            } catch {
                throw ToolError.ioFailed(
                    "cannot run `\(command.escaped)` on a temporary file in $TMPDIR "
                        + "or /tmp: \(error.words)")
            }
        }
        let result = try shrinker.shrink(log.lines) {
            session.host.elapsed < end && !session.host.hasSignal
        }
        if result == nil {
            guard !isUnanswered else {
                throw ToolError.undetermined(
                    "`\(command.escaped)` gave no answer for the whole log before "
                        + (session.host.hasSignal ? "a signal came" : "time ran out")
                        + ", so nothing smaller was tried")
            }
            session.tell("`\(command.escaped)` fails for the whole log: expected status 0")
        }
        return result
    }
}
