import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// Random rules of a rule file and a slow implementation of their language agree.
struct WrittenRulePropertyTests {
    /// A case takes little, as the logs are short.
    private static let cases = 8 * propertyCases

    @Test func `random rules find on random logs what the slow implementation finds`() {
        expectHolds(
            "random rules and the slow implementation agree", cases: WrittenRulePropertyTests.cases
        ) { trial in
            let log = RandomRestores(trial.choices, upTo: 22)
            let rules = (0..<8).map { _ in RandomRule(trial.choices) }
            let text = rules.enumerated().map { "rule r\($0): error\n\($1.body)\n" }
                .joined(separator: "\n")
            trial.show(lines: log.lines)
            let written = try WrittenRule.rules(of: Array(text.utf8), file: "random.rules")
            let reader = LogReader()
            var check = Check(of: written.map { CheckedRule($0) }, names: reader.decoder.names)
            try reader.read(MemorySource(log.bytes)) { line in
                check.observe(line)
                return true
            }
            for (rule, (_, report)) in zip(rules, check.finish()) {
                let slow = SlowRule(rule: rule, moments: log.moments)
                let found = SlowRule.Answer(
                    lines: report.findings.map { Int($0.line) }, tested: report.tested,
                    isOpen: !report.because.isEmpty)
                if !found.lines.isEmpty {
                    trial.count("\(rule.form) violated, clocks \(log.clocks)")
                }
                if let difference = difference(found, slow) { return "\(rule.body)\n\(difference)" }
            }
            return nil
        }
    }

    /// How the answer of a rule differs from the expected one, or `nil`.
    private func difference(_ found: SlowRule.Answer, _ slow: SlowRule) -> String? {
        let expected = slow.answer
        if found == expected { return nil }
        var part = expected
        part.lines.removeAll { !found.lines.contains($0) }
        if !slow.isExact, found == part { return nil }
        return "the rule finds \(found), the slow implementation \(expected)"
    }
}
