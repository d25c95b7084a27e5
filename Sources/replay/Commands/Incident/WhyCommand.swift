import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// `replay why`: shows the lines on which an answer depends, and what a yes would need.
struct WhyCommand: ToolCommand {
    static let name = "why"
    static let operands = [
        Operand(name: "QUESTION", values: .oneOf(Question.Word.allCases.map(\.rawValue))),
        Operand(name: "NAMES", values: .text), .logs,
    ]
    static let options: [Option] = [.format([.text, .json]), .asOf, .untilSeq, .until, .threads]
    static var lists: [String: String] {
        let questions = Question.Word.allCases.map { word in
            "  \(word.rawValue) \(word.operands.joined(separator: " "))"
        }
        return ["questions": questions.joined(separator: "\n")]
    }

    let question: Question
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        let word = try given.first { Question.Word(rawValue: $0) }
        let names = Array(given.operands.dropFirst().prefix(word.operands.count))
        guard given.operands.count > word.operands.count + 1 else {
            throw WhyCommand.needs(word, names)
        }
        question = try WhyCommand.question(word, names, given)
        input = try LogArguments(given, skipping: names.count + 1)
    }

    private static func needs(_ word: Question.Word, _ names: [String]) -> UsageError {
        let expected = (word.operands + ["LOG"]).joined(separator: " ")
        let seen = names.isEmpty ? "nothing" : "`\(names.joined(separator: " "))`"
        return UsageError("`replay why \(word.rawValue)` needs \(expected), seen \(seen)")
    }

    private static func question(
        _ word: Question.Word, _ names: [String], _ given: ParsedArguments
    ) throws(UsageError) -> Question {
        let account = names[0].isEmpty ? nil : names[0]
        switch word {
        case .entitlement: return .entitlement(account: account, product: names[1])
        case .restore: return .restore(account: account, product: names[1])
        case .balance: return .balance(account: account, product: names[1])
        case .pending: return .pending(key: names[0])
        case .subscription: return .subscription(original: names[0])
        case .finding:
            guard let line = Int(names[0]), line > 0 else {
                throw UsageError("LINE: expected the number of a line, seen `\(names[0])`")
            }
            return .finding(line: line, rule: try given.ruleID(names[1]))
        }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        guard let log = try LogInMemory(input, session) else { return .undetermined }
        let reasons = try Reasons(
            log.lines, asOf: input.instant, rules: session.rules,
            threads: input.threads ?? session.host.cores)
        if let unnamed = reasons.unnamed(in: question) {
            throw ToolError.noInput(
                "no line of \(log.name.escaped) names the \(unnamed.role) "
                    + "`\(unnamed.name.escaped)`")
        }
        let reason = try reasons.reason(for: question)
        if case .finding(let line, let rule) = question, reason.answer.finding == nil {
            throw try notFound(rule, line, log, session)
        }
        let words = ReasonWords(reason, of: reasons, in: log.lines)
        if input.format == .json {
            try session.output.line(object(reason, words, log).text)
        } else {
            try write(reason, words, log, session)
        }
        if reason.answer.rowCount > 1 {
            session.tell(
                "\(reason.answer.rowCount.counted("row")) answer the question; the "
                    + "reasons explain the printed row")
        }
        return log.isUnderstood ? .well : .undetermined
    }

    private func notFound(
        _ rule: String, _ line: Int, _ log: LogInMemory, _ session: ToolSession
    ) throws -> ToolError {
        let rules = session.rules.filter { $0.id == rule }
        let others = try log.lines.findings(rules).map { Int($0.line) }
        let near = Array(Set(others)).sorted { abs($0 - line) < abs($1 - line) }.prefix(5).sorted()
        let seen =
            near.isEmpty
            ? "the rule finds nothing in the log"
            : "its nearest findings are at \(near.count == 1 ? "line" : "lines") "
                + near.map { String($0) }.joined(separator: ", ")
        return ToolError.noInput(
            "\(rule) finds nothing at line \(line) of \(log.name.escaped): \(seen)")
    }

    // MARK: Output

    private func object(_ reason: Reason, _ words: ReasonWords, _ log: LogInMemory) -> JSONText {
        var object = JSONText()
        if let row = reason.answer.row { object.add("answer", raw: row.json) }
        if let finding = reason.answer.finding {
            object.add("answer", raw: RemarkJSON.object(Remark(finding, log.places)).text)
        }
        let lines = words.lines.map { line in
            var object = JSONText()
            object.add("line", line.number)
            object.add("seq", line.seq)
            object.add("role", line.role.rawValue)
            object.add("message", line.message)
            return object.text
        }
        object.add("because", raw: "[\(lines.joined(separator: ","))]")
        return object
    }

    private func write(
        _ reason: Reason, _ words: ReasonWords, _ log: LogInMemory, _ session: ToolSession
    ) throws {
        let output = session.output
        if let row = reason.answer.row {
            for line in TableText(session).lines([row.fields]) { try output.line(line) }
        } else if let finding = reason.answer.finding {
            try RemarkText(style: session.style).write(Remark(finding, log.places), to: output)
        } else {
            try output.line("(none)")
        }
        let width = max(4, words.lines.map { String($0.number ?? 0).count }.max() ?? 0)
        for role in Reason.Role.allCases {
            let lines = words.lines.filter { $0.role == role }
            guard !lines.isEmpty else { continue }
            try output.line("\n\(session.style.strong(WhyCommand.heading(role)))")
            for line in lines {
                let number = TextFormat.right(line.number.map { String($0) } ?? "", width)
                let time = line.at.map { "  \(TextFormat.second($0))" } ?? ""
                let text = EscapedText.escape(line.event ?? line.effect)
                try output.line("\(number)\(time)  \(text)")
                guard line.event != nil else { continue }
                let effect = line.effect.escaped
                try output.line("\(TextFormat.spaces(width + 4))\(session.style.faint(effect))")
            }
        }
    }

    private static func heading(_ role: Reason.Role) -> String {
        switch role {
        case .rests: "The answer rests on:"
        case .overrides: "Overridden:"
        case .prevents: "Lines that each prevent a yes:"
        case .missing: "What is missing for a yes:"
        }
    }
}
