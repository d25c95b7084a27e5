import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

/// What an app built on a ledger can do, whatever it tries.
struct RandomAppTests {
    private static let rules = RuleCatalogue.all.filter { $0.level == .error }

    @Test func `no order of statements, calls and crashes makes an app break a rule`() {
        expectHolds("an app over a ledger never breaks a rule") { trial in
            var app = try RandomApp(trial.choices)
            trial.choices.mark()
            while trial.choices.choose(below: 24) > 0 {
                try app.step()
                trial.choices.mark()
            }
            for word in app.outcomes { trial.count(word) }
            let lines = app.bytes.split(separator: UInt8(ascii: "\n"))
            trial.show(lines: lines.map { String(decoding: $0, as: UTF8.self) })
            for (rule, report) in try check(app.bytes, RandomAppTests.rules) {
                if report.tested > 0 { trial.count("tested \(rule.id)") }
                if let found = report.findings.first(where: { $0.level == .error }) {
                    return "line \(found.line): [\(found.rule)] \(found.message)"
                }
            }
            return nil
        }
    }
}
