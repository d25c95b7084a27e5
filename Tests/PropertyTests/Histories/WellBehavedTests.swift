import PurchaseEvents
import PurchaseProjections
import Testing

@Suite struct WellBehavedTests {
    @Test func `a well-behaved history has no error and no warning`() {
        let result = expectHolds("a well-behaved history has no error and no warning") { trial in
            let history = try History(trial.choices)
            try trial.show(history.events)
            for event in history.events { trial.count("event \(event.type.wireName)") }
            let reports = try history.reports()
            for (rule, report) in reports where report.tested > 0 { trial.count("rule \(rule.id)") }
            return reports.findings(.error, .warning).first.map {
                "line \($0.line): [\($0.rule)] \($0.message)"
            }
        }
        #expect(result.statistics.cases == propertyCases || result.counterexample != nil)
    }

    /// What a generator never makes is never tested.
    @Test func `histories put every rule to the test and have almost every type of event`() {
        let seen = Property("everything comes", cases: propertyCases, seed: propertySeed) { trial in
            let history = try History(trial.choices)
            for event in history.events { trial.count(event.type.wireName) }
            for (rule, report) in try history.reports() where report.tested > 0 {
                trial.count(rule.id)
            }
            return nil
        }.run().statistics.counts
        // A person's remark, and what only an app that ends its session or moves a line records.
        let never: [EventType] = [.logNoted, .queueUnobserved, .accountLinked]
        #expect(EventType.allCases.filter { seen[$0.wireName] == nil } == never)
        #expect(RuleCatalogue.all.map { $0.id }.filter { seen[$0] == nil } == [])
    }
}
