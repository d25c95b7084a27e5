import PurchaseEvents
import PurchaseProjections

@testable import replay

/// The pages of `docs/rules`, made from the catalogue and from what the tool prints.
enum RulePage {
    private static let remark = "<!-- Made from the catalogue of rules; see CONTRIBUTING.md. -->"

    /// The page about a rule.
    static func text(of rule: RuleInfo) -> String {
        let printed = findings(of: rule.id)
        let hints = printed.filter { $0.hasPrefix("    hint: ") }.map { $0.dropFirst(10) }
        let mends = hints.enumerated().filter { !hints[..<$0.offset].contains($0.element) }
        let evidence = rule.evidence.map { code in
            "- **\(code)** \(Evidence.words(code) ?? "")"
        }
        return [
            remark, "# \(rule.id)", rule.statement,
            "The gravest finding of this rule is \(article(rule.level)). \(scope(rule.scope))",
            "## Why",
            evidence.joined(separator: "\n"), "## The smallest log that breaks it",
            block(RulesCommand.sample(of: rule.id) ?? [], "json"),
            "## What `replay check` finds in it",
            block(printed.filter { !$0.hasPrefix("    hint: ") }, "text"), "## What to do",
            mends.map { "- \($0.element)" }.joined(separator: "\n"),
            "[All rules](README.md) · `replay rules \(rule.id)`",
        ].joined(separator: "\n\n") + "\n"
    }

    /// The page that lists all rules.
    static func index(of rules: [RuleInfo]) -> String {
        let rows = rules.map {
            "| [\($0.id)](\($0.id).md) | \($0.level.rawValue) | \($0.statement) |"
        }
        return """
            \(remark)

            # The rules

            `replay check` proves these \(rules.count) rules over a whole log. Each page shows what \
            the rule rests on, the smallest log that breaks it, the finding, and what to do.

            | rule | gravest finding | what must hold |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }

    /// What the tool prints about the smallest log.
    private static func findings(of id: String) -> [String] {
        let host = TestHost()
        _ = Tool.run(["rules", id], on: host)
        let lines = host.output.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex { $0.hasPrefix("what `replay check` finds") } ?? lines.endIndex
        return lines[start...].dropFirst(2).map(String.init).filter { !$0.isEmpty }
    }

    private static func block(_ lines: [String], _ language: String) -> String {
        "```\(language)\n\(lines.joined(separator: "\n"))\n```"
    }

    private static func article(_ level: Level) -> String {
        switch level {
        case .error: "an error"
        case .warning: "a warning"
        case .note: "a note"
        }
    }

    private static func scope(_ scope: RuleScope) -> String {
        switch scope {
        case .part: "A part of a log with all lines of an account is enough to check it."
        case .device: "A part of a log with all lines of a device is enough to check it."
        case .whole: "It needs the whole log."
        }
    }
}
