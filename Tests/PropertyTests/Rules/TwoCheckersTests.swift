import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing
import PurchaseSimulation

/// Two independent implementations of a rule agree.
@Suite struct TwoCheckersTests {
    @Test func `the slow checker and the rules agree on every history`() {
        let rules = RuleCatalogue.all.filter { rule in
            SlowChecker.rules.contains { $0.id == rule.id }
        }
        #expect(rules.count == SlowChecker.rules.count && rules.count >= 10)
        expectHolds("the slow checker and the rules agree") { trial in
            let faults = Fault.allCases.filter { _ in trial.choices.happens(oncePer: 4) }
            let history = try History(trial.choices, faults: Set(faults), upTo: 120)
            trial.show(history.log)
            let slow = SlowChecker(events: history.events)
            for (rule, report) in try check(history.bytes, rules) {
                let found = report.findings.filter { $0.level == .error }.map { Int($0.line) }.min()
                let expected = SlowChecker.rules.first { $0.id == rule.id }?.firstError(slow)
                if found != nil { trial.count("\(rule.id) violated") }
                if found != expected {
                    return "\(rule.id): the rule says line \(found.map(String.init) ?? "none"), "
                        + "the slow checker \(expected.map(String.init) ?? "none")"
                }
            }
            return nil
        }
    }
}
