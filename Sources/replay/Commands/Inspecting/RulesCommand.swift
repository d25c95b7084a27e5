import PurchaseEvents
import PurchaseProjections

/// `replay rules`: lists the rules, or shows one with the smallest log that violates it.
struct RulesCommand: ToolCommand {
    static let name = "rules"
    static let operands = [
        Operand(name: "ID", values: .suggested(RuleCatalogue.all.map { $0.id }), isOptional: true)
    ]
    static let options: [Option] = [.listedRules, .format([.text, .json])]

    let rules: RuleChoice
    let isList: Bool
    let format: OutputFormat

    init(_ given: ParsedArguments) throws(UsageError) {
        try given.atMost(1)
        rules = try RuleChoice(given, files: .listedRules, typed: given.operands)
        isList = given.operands.isEmpty
        format = given.format
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let rules = try rules.rules(session)
        if isList {
            try list(rules.map(\.info), session)
        } else {
            for rule in rules { try show(rule, session) }
        }
        return .well
    }

    private func list(_ rules: [RuleInfo], _ session: ToolSession) throws {
        let width = rules.map { $0.id.count }.max() ?? 0
        let indent = width + 11
        // On a terminal, statements wrap in their column; a pipe gets one line for each rule.
        let columns = session.host.isTerminal(.output) ? session.host.columns ?? 80 : Int.max
        for rule in rules {
            if format == .json {
                try session.output.line(RulesCommand.object(rule).text)
                continue
            }
            let level = session.style.level(rule.level)
            let gap = TextFormat.spaces(7 - rule.level.rawValue.count)
            let statement = RulesCommand.firstSentence(of: rule.statement)
            let room = columns == Int.max ? columns : max(30, columns - indent)
            let text = TextFormat.wrapped(statement, room)
                .joined(separator: "\n" + TextFormat.spaces(indent))
            try session.output.line("\(TextFormat.padded(rule.id, width))  \(level)\(gap)  \(text)")
        }
    }

    /// The lines of the smallest log that violates the rule; `nil` for one of a file's own rules.
    static func sample(of rule: String) -> [String]? {
        EmbeddedFiles.violations[rule]?.split(separator: "\n").map(String.init)
    }

    private func show(_ checked: CheckedRule, _ session: ToolSession) throws {
        let rule = checked.info
        let sample = RulesCommand.sample(of: rule.id)
        let findings = try sample.map { try RulesCommand.findings(checked, in: $0) } ?? []
        if format == .json {
            var object = RulesCommand.object(rule)
            object.add("sample", list: (sample ?? []).map { JSONText.string($0) })
            object.add("findings", list: findings.map { RemarkJSON.object($0).text })
            return try session.output.line(object.text)
        }
        let output = session.output
        let style = session.style
        try output.line("\(style.strong(rule.id)) (\(style.level(rule.level)))\n")
        try output.line(TextFormat.wrapped(rule.statement, 96).joined(separator: "\n"))
        try output.line("\nevidence: \(rule.evidence.joined(separator: ", "))")
        for code in rule.evidence {
            guard let words = Evidence.words(code) else { continue }
            try output.line("    \(TextFormat.padded(code, 5))  \(words)")
        }
        if let page = Tool.page(ofRule: rule.id) { try output.line("page: \(page)") }
        guard let sample else { return }
        try output.line("\nthe smallest log that breaks it, \(rule.id).jsonl:\n")
        for (index, line) in sample.enumerated() {
            let number = String(index + 1)
            let gap = TextFormat.spaces(4 - number.count)
            try output.line("\(gap)\(style.faint(number))  \(line.escaped)")
        }
        try output.line("\nwhat `replay check` finds in it:\n")
        let writer = RemarkText(style: style)
        for finding in findings { try writer.write(finding, to: output) }
    }

    static func findings(_ rule: CheckedRule, in lines: [String]) throws -> [Remark] {
        let bytes = lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
        let reader = LogReader()
        var check = Check(of: [rule], names: reader.decoder.names)
        try reader.read(MemorySource(bytes)) { line in
            check.observe(line)
            return true
        }
        var places = LinePlaces()
        places.begin("\(rule.info.id).jsonl", at: 1)
        return check.finish().flatMap { $0.report.findings }.map { Remark($0, places) }
    }

    private static func object(_ rule: RuleInfo) -> JSONText {
        var object = JSONText()
        object.add("rule", rule.id)
        object.add("level", rule.level.rawValue)
        object.add("statement", rule.statement)
        object.add("evidence", list: rule.evidence.map { JSONText.string($0) })
        object.add("scope", rule.scope.rawValue)
        object.add("page", Tool.page(ofRule: rule.id))
        return object
    }

    private static func firstSentence(of statement: String) -> String {
        let end =
            statement.firstRange(of: ". ")?.lowerBound
            ?? statement.firstRange(of: "; ")?.lowerBound ?? statement.endIndex
        let sentence = statement[..<end]
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : String(sentence)
    }
}
